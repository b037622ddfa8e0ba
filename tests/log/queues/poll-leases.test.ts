import { afterEach, beforeEach, expect, test } from 'vitest';
import { leasePoll } from '#shared/queues/poll-lease.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readPollSlots } from '#shared/store/limits/poll-slots.ts';
import { getUser } from '#shared/store/users/users.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

let service: TestService;
let services: Services;
let nowMs: number;
beforeEach(async () => {
  service = await startTestService();
  nowMs = service.services.clock.nowMs();
  services = { ...service.services, clock: { ...service.services.clock, nowMs: () => nowMs } };
});
afterEach(() => service.stop());

test('A busy queue takes its slot once a minute, and a poll that repeats takes another one', async () => {
  const user = await getUser(services.table, service.owner.userId);
  const next = (lastEventId: number) =>
    leasePoll(services, user, { queueId: 'busy', lastEventId, holdMs: 25_000 });
  const writesOf = async (polls: number, from: number): Promise<number> => {
    service.meter.reset();
    for (let n = 0; n < polls; n++) {
      await next(from + n);
      nowMs += 4_000;
    }
    return service.meter.write;
  };
  // The first poll may be the only one of its queue.
  expect(await writesOf(2, 1)).toBe(2);
  expect(await writesOf(14, 3)).toBe(0);
  expect(await writesOf(15, 17)).toBe(1);
  const lease = await next(40);
  service.meter.reset();
  await next(1);
  expect(service.meter.write).toBe(1);
  nowMs += 10_000;
  expect(await lease.isSuperseded()).toBe(true);
});

test('An idle queue takes its slot at most once a minute, because each poll ends by its time', async () => {
  const user = await getUser(services.table, service.owner.userId);
  const poll = { queueId: 'idle', lastEventId: 5, holdMs: 25_000 };
  await leasePoll(services, user, poll);
  service.meter.reset();
  const minutes = 60;
  for (let ms = 0; ms < minutes * 60_000; ms += poll.holdMs) {
    nowMs += poll.holdMs;
    await leasePoll(services, user, poll);
  }
  expect(service.meter.write).toBeLessThanOrEqual(minutes);
  const slots = await readPollSlots(services.table, { kind: 'person', userId: user.userId });
  expect(slots.size).toBe(1);
});

test('A poll keeps its slot three seconds longer than it is held, and notices within ten seconds a newer one', async () => {
  const user = await getUser(services.table, service.owner.userId);
  const poll = { queueId: 'queue', lastEventId: 5, holdMs: 25_000 };
  const lease = await leasePoll(services, user, poll);
  const [slot, ...others] = (
    await readPollSlots(services.table, { kind: 'person', userId: user.userId })
  ).values();
  expect(others).toEqual([]);
  expect(slot).toMatchObject({ queueId: 'queue', untilMs: nowMs + 28_000 });
  await leasePoll(services, user, poll);
  nowMs += 9_999;
  expect(await lease.isSuperseded()).toBe(false);
  nowMs += 1;
  expect(await lease.isSuperseded()).toBe(true);
});
