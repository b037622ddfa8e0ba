import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '#tests/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('a new account costs 9 read and 22 write units, its welcome included where no channel is told of it', async () => {
  service.meter.reset();
  await service.createUser('Newcomer');
  expect(service.meter.read).toBeLessThanOrEqual(9);
  expect(service.meter.write).toBeLessThanOrEqual(22);
});
