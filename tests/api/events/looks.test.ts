import { expect, test } from 'vitest';
import { defaultConfig } from '#shared/runtime/config.ts';
import type { EventQueue, ReceivedEvent } from '#tests/harness/client.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { liveIn, VirtualTime, watchLooks } from '#tests/harness/virtual-time.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let lookedAtMs: number[] = [];

const { pollHoldMs, lookSchedule } = defaultConfig;
const service = await startTestService({ pollHoldMs, lookSchedule });
// As in a function of its own, which does not know the writes of others.
delete service.services.appends;
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const room = await createChannel(service, [ada, bo]);
await service.settle();
const time = new VirtualTime(service.services.clock.nowMs());
liveIn(time, service.services);
watchLooks(service.services, () => lookedAtMs.push(time.nowMs()));

/** One poll, acknowledged with the next. */
async function pollOnce(queue: EventQueue): Promise<ReceivedEvent[]> {
  const { body } = await queue.poll();
  queue.lastEventId = body.events.at(-1)?.id ?? queue.lastEventId;
  return body.events;
}

/** A queue to which nothing came for long. */
async function idleQueue(): Promise<EventQueue> {
  const queue = await ada.register();
  await time.passUntil(time.nowMs() + 6 * MINUTE);
  return queue;
}

/** A client that polls for this time and drops its events. */
async function pollFor(queue: EventQueue, forMs: number): Promise<void> {
  lookedAtMs = [];
  const endMs = time.nowMs() + forMs;
  await time.start(async () => {
    while (time.nowMs() < endMs) await pollOnce(queue);
  });
  await time.passUntil(endMs + defaultConfig.pollHoldMs);
}

/** Looks within a stretch of time after a moment. */
const looksBetween = (sinceMs: number, fromMs: number, toMs: number): number =>
  lookedAtMs.filter((atMs) => atMs >= sinceMs + fromMs && atMs < sinceMs + toMs).length;

test('An idle client looks once in two seconds in any poll, and writes once a minute and once for each poll', async () => {
  const queue = await idleQueue();
  service.meter.reset();
  const startMs = time.nowMs();
  await pollFor(queue, 5 * MINUTE);
  const beats = 6;
  // A heartbeat ends a poll before its time.
  const polls = (5 * MINUTE) / defaultConfig.pollHoldMs + 1 + beats;
  // Each poll begins and ends with a look.
  expect(looksBetween(startMs, 0, 5 * MINUTE)).toBeLessThanOrEqual((5 * MINUTE) / (2 * SECOND) + 2 * polls);
  expect(service.meter.write).toBeLessThanOrEqual(beats + polls);
  // Account and queue for each poll, its right to wait, and twice whether it still has it; the low-water mark for each heartbeat.
  expect(service.meter.read).toBeLessThanOrEqual(0.5 * lookedAtMs.length + 3.5 * polls + beats);
});

test('Looks become frequent after a message for the queue, also in its next polls, and then rare', async () => {
  const queue = await idleQueue();
  await bo.send(room.channelId, 'topic', 'hello');
  const sentMs = time.nowMs();
  await pollFor(queue, 2 * MINUTE);
  for (const [index, { fromAgeMs, everyMs }] of defaultConfig.lookSchedule.entries()) {
    const toMs = Math.min(defaultConfig.lookSchedule[index + 1]?.fromAgeMs ?? 2 * MINUTE, 2 * MINUTE);
    if (fromAgeMs >= toMs) break;
    const looks = looksBetween(sentMs, fromAgeMs, toMs);
    const expected = (toMs - fromAgeMs) / everyMs;
    const polls = (toMs - fromAgeMs) / defaultConfig.pollHoldMs;
    expect(looks, `from ${fromAgeMs} ms on`).toBeGreaterThan(expected * 0.95 - 2);
    expect(looks, `from ${fromAgeMs} ms on`).toBeLessThanOrEqual(expected + 2 * polls + 2);
  }
});

test.each<[what: string, params: { type: string; topic?: string }, everyMs: number]>([
  ['a message that a user begins to write to the owner', { type: 'direct' }, 50],
  ['one that a user begins to write in a channel', { type: 'channel', topic: 'topic' }, 2 * SECOND],
])('The time of the next look depends on %s', async (_what, params, everyMs) => {
  const queue = await idleQueue();
  await pollFor(queue, SECOND);
  const place = params.topic ? { stream_id: room.channelId } : { to: [ada.userId] };
  await bo.post('/typing', { op: 'start', ...params, ...place });
  await pollFor(queue, SECOND);
  const [first = 0, second = 0] = [...new Set(lookedAtMs)];
  expect(second - first).toBe(everyMs);
});

test('Events for others make no poll look more often, nor twice', async () => {
  const queue = await idleQueue();
  // The heartbeat that has become due.
  await time.start(async () => void (await pollOnce(queue)));
  service.meter.reset();
  lookedAtMs = [];
  const startMs = time.nowMs();
  const people = async () => {
    for (let n = 0; n < 20; n++) {
      await time.sleep(SECOND);
      await bo.sendDirect([cy.userId], 'not for Ada');
    }
  };
  await time.start(people);
  await time.start(async () => void (await queue.poll()));
  await time.passUntil(startMs + defaultConfig.pollHoldMs);
  const looks = looksBetween(startMs, 0, defaultConfig.pollHoldMs + 1);
  expect(looks).toBeGreaterThanOrEqual(12);
  expect(looks).toBeLessThanOrEqual(14);
});

test('A client far behind does not wait between two pages of events for others', async () => {
  const queue = await ada.register();
  await bo.sendDirect([cy.userId], 'not for Ada');
  await time.passUntil(time.nowMs() + MINUTE);
  await pollFor(queue, SECOND);
  const [first, second] = lookedAtMs;
  expect(second).toBe(first);
});

test('A conversation with a gap of seconds is seen within 50 ms in the middle, and within 100 ms', async () => {
  const queue = await ada.register();
  const waitedMs: number[] = [];
  const GAPS_MS = [900, 2_310, 470, 4_730, 1_680, 9_120, 3_340, 760, 8_870, 2_050];
  let sentMs = 0;
  await time.start(async () => {
    for (const gapMs of GAPS_MS) {
      await time.sleep(gapMs);
      sentMs = time.nowMs();
      await bo.send(room.channelId, 'topic', 'hello');
    }
  });
  await time.start(async () => {
    while (waitedMs.length < GAPS_MS.length) {
      for (const { type } of await pollOnce(queue))
        if (type === 'message') waitedMs.push(time.nowMs() - sentMs);
    }
  });
  await time.passUntil(time.nowMs() + MINUTE);
  const sorted = waitedMs.sort((a, b) => a - b);
  expect(sorted).toHaveLength(GAPS_MS.length);
  expect(sorted[GAPS_MS.length / 2]).toBeLessThanOrEqual(50);
  expect(sorted.at(-1)).toBeLessThanOrEqual(100);
});

test('A poll of an idle queue returns after 25 seconds, before API Gateway gives up', async () => {
  const queue = await idleQueue();
  // The heartbeat that has become due.
  await time.start(async () => void (await pollOnce(queue)));
  const startMs = time.nowMs();
  let endMs = 0;
  await time.start(async () => {
    await pollOnce(queue);
    endMs = time.nowMs();
  });
  await time.passUntil(startMs + 29 * SECOND);
  expect(endMs - startMs).toBe(25 * SECOND);
});

test('A poll of a busy organization rests 50 ms for each entry that a second brings, and looks densely again in a quiet one', async () => {
  const queue = await idleQueue();
  const startMs = time.nowMs();
  await time.start(async () => {
    for (let n = 0; n < 80; n++) {
      const reader = n === 10 ? ada : cy;
      await bo.sendDirect([reader.userId], 'hello');
      await time.sleep(100);
    }
  });
  await pollFor(queue, MINUTE);
  const looks = looksBetween(startMs, 5 * SECOND, 8 * SECOND);
  expect(looks).toBeGreaterThanOrEqual(5);
  expect(looks).toBeLessThanOrEqual(8);
  await bo.sendDirect([ada.userId], 'hello');
  const quietMs = time.nowMs();
  await pollFor(queue, 2 * SECOND);
  expect(looksBetween(quietMs, 0, 2 * SECOND)).toBeGreaterThan(35);
});
