import { afterAll, expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
afterAll(() => service.stop());

test('An allowed domain includes its subdomains or not, in any letter case of its name', async () => {
  const { owner } = service;
  await owner.post('/realm/domains', { domain: 'kiln.example' });
  expect((await owner.patch('/realm/domains/KILN.example', { allow_subdomains: true })).status).toBe(200);
  const { body } = await owner.get('/realm/domains');
  expect(body.domains).toEqual([{ domain: 'kiln.example', allow_subdomains: true }]);
});

test('A domain that is not allowed cannot be edited', async () => {
  expectRefusal(
    await service.owner.patch('/realm/domains/nobody.example', { allow_subdomains: true }),
    'No entry found for domain nobody.example.',
  );
});
