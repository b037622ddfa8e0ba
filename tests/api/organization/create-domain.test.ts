import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { PASSWORD, startTestService, type TestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

let service: TestService;
let owner: Client;
let [administrator, member, guest]: Client[] = [];

beforeAll(async () => {
  service = await startTestService();
  owner = service.owner;
  administrator = await service.createUser('Admin', roles.administrator);
  member = await service.createUser('Member');
  guest = await service.createUser('Guest', roles.guest);
});
afterAll(() => service.stop());
beforeEach(async () => {
  await owner.patch('/realm', { emails_restricted_to_domains: false });
  for (const { domain } of (await owner.get('/realm/domains')).body.domains)
    await owner.delete(`/realm/domains/${domain}`);
});

const domains = async (): Promise<unknown> => (await member!.get('/realm/domains')).body.domains;

describe('Allowed domains', () => {
  test('Can be added, changed and removed, with an event to every user', async () => {
    await expectConsistentSnapshot(service, [owner, member!, guest!], async () => {
      await owner.post('/realm/domains', { domain: ' Kiln.Example ', allow_subdomains: true });
      await owner.post('/realm/domains', { domain: 'bakery.example' });
      await owner.patch('/realm/domains/kiln.example', { allow_subdomains: false });
      await owner.delete('/realm/domains/bakery.example');
    });
    expect(await domains()).toEqual([{ domain: 'kiln.example', allow_subdomains: false }]);
    const { snapshot } = await guest!.register({ fetch_event_types: ['realm_domains'] });
    expect(snapshot.realm_domains).toEqual(await domains());
  });

  test('Require an owner to change', async () => {
    await owner.post('/realm/domains', { domain: 'kiln.example' });
    for (const client of [administrator!, member!, guest!]) {
      const calls = [
        client.post('/realm/domains', { domain: 'mine.example' }),
        client.patch('/realm/domains/kiln.example', { allow_subdomains: true }),
        client.delete('/realm/domains/kiln.example'),
      ];
      for (const call of calls)
        expectRefusal(await call, 'Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' });
    }
    expect(await domains()).toEqual([{ domain: 'kiln.example', allow_subdomains: false }]);
  });

  test.each([
    ['', "Domain can't be empty."],
    ['localhost', 'Domain must have at least one dot (.)'],
    ['kiln..example', 'Invalid domain: Enter a valid domain name.'],
    ['-kiln.example', 'Invalid domain: Enter a valid domain name.'],
    [`${'x'.repeat(300)}.example`, 'Invalid domain: Enter a valid domain name.'],
    ['a@kiln.example', 'Invalid domain: Enter a valid domain name.'],
  ])('Exclude %j', async (domain, msg) => {
    expectRefusal(await owner.post('/realm/domains', { domain }), msg);
  });

  test('Cannot be repeated, and end after a hundred', async () => {
    await owner.post('/realm/domains', { domain: 'kiln.example' });
    expectRefusal(
      await owner.post('/realm/domains', { domain: 'KILN.example' }),
      'The domain kiln.example is already a part of your organization.',
    );
    for (let n = 1; n < 100; n++) await owner.post('/realm/domains', { domain: `d${n}.example` });
    expectRefusal(
      await owner.post('/realm/domains', { domain: 'late.example' }),
      'Too many domains (maximum 100).',
    );
  });
});

describe('Addresses of new accounts', () => {
  let count = 0;
  const join = (host: string) =>
    owner.post('/users', { email: `p${++count}@${host}`, password: PASSWORD, full_name: 'Newcomer' });

  test('Must be in an allowed domain if the organization requires it', async () => {
    await owner.post('/realm/domains', { domain: 'kiln.example', allow_subdomains: true });
    await owner.post('/realm/domains', { domain: 'bakery.example' });
    await owner.post('/realm/domains', { domain: 'xn--bcher-kva.example' });
    await owner.patch('/realm', { emails_restricted_to_domains: true });
    for (const host of ['bücher.example', 'xn--bcher-kva.example'])
      expect((await join(host)).status).toBe(200);
    expect((await join('KILN.example')).status).toBe(200);
    expect((await join('oven.kiln.example')).status).toBe(200);
    for (const host of ['elsewhere.example', 'oven.bakery.example', 'notkiln.example']) {
      const refused = await join(host);
      expectRefusal(refused, `Email 'p${count}@${host}' not allowed in this organization`);
    }
  });

  test('Must not be disposable, unless the organization allows it', async () => {
    expectRefusal(
      await join('mailinator.com'),
      `Email 'p${count}@mailinator.com' not allowed in this organization`,
    );
    await owner.patch('/realm', { disallow_disposable_email_addresses: false });
    expect((await join('mailinator.com')).status).toBe(200);
  });
});
