import { afterAll, expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();
afterAll(() => service.stop());

test('Removing the last domain ends the restriction of addresses', async () => {
  const { owner } = service;
  const member = await service.createUser('Member');
  await owner.post('/realm/domains', { domain: 'kiln.example' });
  await owner.patch('/realm', { emails_restricted_to_domains: true });
  await expectConsistentSnapshot(service, [owner, member], async () => {
    await owner.delete('/realm/domains/kiln.example');
  });
  const { snapshot } = await member.register({ fetch_event_types: ['realm', 'realm_domains'] });
  expect([snapshot.realm_domains, snapshot.realm_emails_restricted_to_domains]).toEqual([[], false]);
});

test('An allowed domain is removed in any letter case of its name', async () => {
  const { owner } = service;
  await owner.post('/realm/domains', { domain: 'clay.example' });
  expect((await owner.delete('/realm/domains/CLAY.example')).status).toBe(200);
  expect((await owner.get('/realm/domains')).body.domains).toEqual([]);
});

test.each(['nobody.example', '__proto__'])(
  'The domain %s cannot be removed, since it is not allowed',
  async (domain) => {
    expectRefusal(
      await service.owner.delete(`/realm/domains/${domain}`),
      `No entry found for domain ${domain}.`,
    );
  },
);
