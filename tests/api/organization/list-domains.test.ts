import { afterAll, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
afterAll(() => service.stop());

test('Every user lists the allowed domains, by name', async () => {
  const guest = await service.createUser('Guest', roles.guest);
  await service.owner.post('/realm/domains', { domain: 'kiln.example', allow_subdomains: true });
  await service.owner.post('/realm/domains', { domain: 'bakery.example' });
  const domains = [
    { domain: 'bakery.example', allow_subdomains: false },
    { domain: 'kiln.example', allow_subdomains: true },
  ];
  expect((await guest.get('/realm/domains')).body.domains).toEqual(domains);
  const { snapshot } = await guest.register({ fetch_event_types: ['realm_domains'] });
  expect(snapshot.realm_domains).toEqual(domains);
});
