import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '#tests/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('a new channel costs its first subscriber 14.5 read and 31 write units, the note of the bot included', async () => {
  const { meter, owner } = service;
  meter.reset();
  const { status } = await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'costly' }] });
  await service.settle();
  expect(status).toBe(200);
  expect(meter.read).toBeLessThanOrEqual(14.5);
  expect(meter.write).toBeLessThanOrEqual(31);
});
