import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { endOfPosition } from '#shared/events/event-id.ts';
import { readPollSlots } from '#shared/store/limits/poll-slots.ts';
import { readCounter } from '#shared/store/log/log.ts';
import type { EventQueue } from '#tests/harness/client.ts';
import { expectBadQueue, expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';

/** Longer than a test may take: a poll that is not ended fails the test that waits for it. */
const HOLD_MS = 600_000;

const service = await startTestService({ pollHoldMs: HOLD_MS });
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

/** A refused poll changes nothing: the queue returns the same events afterwards. */
async function expectAlive(queue: EventQueue): Promise<void> {
  const id = await ada.sendDirect([bo.userId], 'still there?');
  const { body } = await queue.poll({ dont_block: true });
  expect(body.events).toMatchObject([{ type: 'message', message: { id } }]);
}

/** A poll that found nothing yet and waits: it has taken the right to, which is written down. */
async function startPoll(queue: EventQueue) {
  const before = await countWaits();
  const reply = queue.poll();
  while ((await countWaits()) === before) await setImmediate();
  return { reply };
}

/** How often polls of Bo began to wait. */
async function countWaits(): Promise<number> {
  const slots = await readPollSlots(service.services.table, { kind: 'person', userId: bo.userId });
  for (const { pollId } of slots.values()) waits.add(pollId);
  return waits.size;
}
const waits = new Set<string>();

describe('An event id that no client of the queue can have', () => {
  test('Fails if it is in the future, however high, and changes nothing', async () => {
    const queue = await bo.register({ event_types: ['message'] });
    const next = (await readCounter(service.services.table)) + 1;
    for (const id of [endOfPosition(next), queue.lastEventId + 2 ** 40, Number.MAX_SAFE_INTEGER])
      expectRefusal(await queue.poll({ last_event_id: id }), `Event ${id} was not in this queue`);
    await expectAlive(queue);
  });
});

describe('Two polls of one queue at once', () => {
  test('Let the older one return empty at once, and the newer one get the events', async () => {
    const queue = await bo.register({ event_types: ['message'] });
    const older = await startPoll(queue);
    const newer = await startPoll(queue);
    expect((await older.reply).body.events).toEqual([]);
    const id = await ada.sendDirect([bo.userId], 'for the newer');
    expect((await newer.reply).body.events).toMatchObject([{ type: 'message', message: { id } }]);
  });

  test('Do not disturb the waiting one if the other does not wait', async () => {
    const queue = await bo.register({ event_types: ['message'] });
    const waiting = await startPoll(queue);
    expect((await queue.poll({ dont_block: true })).body.events).toEqual([]);
    const id = await ada.sendDirect([bo.userId], 'for who waits');
    expect((await waiting.reply).body.events).toMatchObject([{ type: 'message', message: { id } }]);
  });

  test('Return all except the newest, however many there are', async () => {
    const queue = await bo.register({ event_types: ['message'] });
    const polls = Array.from({ length: 8 }, () => queue.poll());
    const ended: number[] = [];
    for (const poll of polls) void poll.then(({ body }) => ended.push(body.events.length));
    while (ended.length < 7) await setImmediate();
    const id = await ada.sendDirect([bo.userId], 'for the last');
    const replies = (await Promise.all(polls)).flatMap(({ body }) => body.events);
    expect(ended.slice(0, 7)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(replies).toMatchObject([{ message: { id } }]);
  });
});

describe('A queue that is deleted while it is polled', () => {
  test('Ends each of its polls, and none brings it back to life', async () => {
    const queue = await bo.register();
    const waiting = await startPoll(queue);
    const end = () => bo.delete('/events', { queue_id: queue.queueId });
    const [ended, ...polls] = await Promise.all([end(), queue.poll({ dont_block: true }), queue.poll()]);
    expect(ended.status).toBe(200);
    for (const reply of [...polls, await waiting.reply])
      if (reply.status !== 200) expectBadQueue(reply, queue.queueId);
      else expect(reply.body.events).toEqual([]);
    expectBadQueue(await queue.poll(), queue.queueId);
    expectBadQueue(await end(), queue.queueId);
  });
});

describe('Registering with excessive parameters', () => {
  test('Counts ten thousand event types once for each known type, at no additional cost of the queue', async () => {
    const unknown = Array.from({ length: 10_000 }, (_, n) => `type ${n} of mine`);
    const event_types = [...unknown, 'message', ...Array.from({ length: 1_000 }, () => 'message')];
    const plain = await unitsOf(service, () => bo.listen({ event_types: ['message'] }));
    const queues: EventQueue[] = [];
    const { write } = await unitsOf(service, async () => queues.push(await bo.listen({ event_types })));
    expect(write).toBe(plain.write);
    for (const queue of queues) await expectAlive(queue);
    const { status, body } = await bo.post('/register', { event_types, fetch_event_types: unknown });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('max_message_id');
  });
});
