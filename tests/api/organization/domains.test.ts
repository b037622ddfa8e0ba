// The operations createDomain, deleteDomain, editDomain and listDomains.
import { beforeEach, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Params, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();
const { owner } = service;
const member = await service.createUser('Member');
const guest = await service.createUser('Guest', roles.guest);
beforeEach(async () => {
  await owner.patch('/realm', { emails_restricted_to_domains: false });
  for (const { domain } of (await owner.get('/realm/domains')).body.domains)
    await owner.delete(`/realm/domains/${domain}`);
});

const domains = async (): Promise<unknown> => (await member.get('/realm/domains')).body.domains;
const add = (domain: string, params: Params = {}): Promise<Reply> =>
  owner.post('/realm/domains', { domain, ...params });

describe('Allowed domains', () => {
  test('Can be added, changed and removed, with an event to every user', async () => {
    await expectConsistentSnapshot(service, [owner, member, guest], async () => {
      await add(' Kiln.Example ', { allow_subdomains: true });
      await add('bakery.example');
      await owner.patch('/realm/domains/kiln.example', { allow_subdomains: false });
      await owner.delete('/realm/domains/bakery.example');
    });
    expect(await domains()).toEqual([{ domain: 'kiln.example', allow_subdomains: false }]);
    const { snapshot } = await guest.register({ fetch_event_types: ['realm_domains'] });
    expect(snapshot.realm_domains).toEqual(await domains());
  });

  test.each([
    ['', "Domain can't be empty."],
    ['localhost', 'Domain must have at least one dot (.)'],
    ['-kiln.example', 'Invalid domain: Enter a valid domain name.'],
    [`${'x'.repeat(300)}.example`, 'Invalid domain: Enter a valid domain name.'],
  ])('Exclude %j', async (domain, msg) => {
    expectRefusal(await add(domain), msg);
  });

  test('Cannot be repeated, and end after a hundred', async () => {
    await add('kiln.example');
    const msg = 'The domain kiln.example is already a part of your organization.';
    expectRefusal(await add('KILN.example'), msg);
    for (let n = 1; n < 100; n++) await add(`d${n}.example`);
    expectRefusal(await add('late.example'), 'Too many domains (maximum 100).');
  });
});

describe('Addresses of new accounts', () => {
  let count = 0;
  const join = (host: string) =>
    owner.post('/users', { email: `p${++count}@${host}`, password: PASSWORD, full_name: 'Newcomer' });
  const expectAllowed = async (host: string) => expect((await join(host)).status, host).toBe(200);
  const expectRefused = async (host: string) =>
    expectRefusal(await join(host), `Email 'p${count}@${host}' not allowed in this organization`);

  test('Must be in an allowed domain if the organization requires it', async () => {
    await add('kiln.example', { allow_subdomains: true });
    await add('bakery.example');
    await add('xn--bcher-kva.example');
    await owner.patch('/realm', { emails_restricted_to_domains: true });
    for (const host of ['bücher.example', 'xn--bcher-kva.example', 'KILN.example', 'oven.kiln.example'])
      await expectAllowed(host);
    for (const host of ['elsewhere.example', 'oven.bakery.example', 'notkiln.example'])
      await expectRefused(host);
  });

  test('Must not be disposable, unless the organization allows it', async () => {
    await expectRefused('mailinator.com');
    await owner.patch('/realm', { disallow_disposable_email_addresses: false });
    await expectAllowed('mailinator.com');
  });
});

describe('An allowed domain', () => {
  beforeEach(async () => {
    await add('kiln.example');
  });

  test('Can be changed and removed in any letter case of its name', async () => {
    expect((await owner.patch('/realm/domains/KILN.example', { allow_subdomains: true })).status).toBe(200);
    expect(await domains()).toEqual([{ domain: 'kiln.example', allow_subdomains: true }]);
    expect((await owner.delete('/realm/domains/KILN.example')).status).toBe(200);
    expect(await domains()).toEqual([]);
  });

  test('Ends the restriction of addresses if it is removed as the last one', async () => {
    await owner.patch('/realm', { emails_restricted_to_domains: true });
    const remove = () => owner.delete('/realm/domains/kiln.example');
    await expectConsistentSnapshot(service, [owner, member], remove);
    const { snapshot } = await member.register({ fetch_event_types: ['realm', 'realm_domains'] });
    expect([snapshot.realm_domains, snapshot.realm_emails_restricted_to_domains]).toEqual([[], false]);
  });

  test('Appears in the list of every user, by name', async () => {
    await add('bakery.example');
    const listed = (await guest.get('/realm/domains')).body.domains;
    expect(listed).toMatchObject([{ domain: 'bakery.example' }, { domain: 'kiln.example' }]);
    const { snapshot } = await guest.register({ fetch_event_types: ['realm_domains'] });
    expect(snapshot.realm_domains).toEqual(listed);
  });
});

test('A domain that is not allowed cannot be edited or removed', async () => {
  for (const domain of ['nobody.example', '__proto__']) {
    const path = `/realm/domains/${domain}`;
    for (const reply of [await owner.patch(path, { allow_subdomains: true }), await owner.delete(path)])
      expectRefusal(reply, `No entry found for domain ${domain}.`);
  }
});
