import { afterAll, beforeAll, expect, test } from 'vitest';
import { leasePoll } from '#shared/queues/poll-lease.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readPollSlots } from '#shared/store/limits/poll-slots.ts';
import { getUser } from '#shared/store/users/users.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

let service: TestService;
let services: Services;
let nowMs: number;
beforeAll(async () => {
  service = await startTestService();
  nowMs = service.services.clock.nowMs();
  services = { ...service.services, clock: { ...service.services.clock, nowMs: () => nowMs } };
});
afterAll(() => service.stop());

test('A poll keeps its slot three seconds longer than it is held, and notices within ten seconds a newer one', async () => {
  const user = await getUser(services.table, service.owner.userId);
  const poll = { queueId: 'queue', lastEventId: 5, holdMs: 25_000 };
  const lease = await leasePoll(services, user, poll);
  const [slot, ...others] = (
    await readPollSlots(services.table, { kind: 'person', userId: user.userId })
  ).values();
  expect(others).toEqual([]);
  expect(slot).toMatchObject({ queueId: 'queue', untilMs: nowMs + 28_000 });
  await leasePoll(services, user, { ...poll, lastEventId: 6 });
  nowMs += 9_999;
  expect(await lease.isSuperseded()).toBe(false);
  nowMs += 1;
  expect(await lease.isSuperseded()).toBe(true);
});
