import { afterAll, expect, test } from 'vitest';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
afterAll(() => service.stop());

test('A new account without a sign-up notice costs 9 read and 24 write units, its welcome included', async () => {
  service.meter.reset();
  const newcomer = { email: 'newcomer@example.com', password: PASSWORD, full_name: 'Newcomer' };
  expect((await service.owner.post('/users', newcomer)).status).toBe(200);
  await service.settle();
  expect(service.meter.read).toBeLessThanOrEqual(9);
  expect(service.meter.write).toBeLessThanOrEqual(24);
});
