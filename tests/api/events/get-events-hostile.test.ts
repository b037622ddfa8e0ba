import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endOfPosition } from '#shared/events/event-id.ts';
import { readPollSlots } from '#shared/store/limits/poll-slots.ts';
import { readCounter } from '#shared/store/log/log.ts';
import type { Client, EventQueue } from '#tests/harness/client.ts';
import { expectBadQueue, expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

/** Longer than a test may take: a poll that is not ended fails the test that waits for it. */
const HOLD_MS = 600_000;

let service: TestService;
let [ada, bo]: Client[] = [];
beforeAll(async () => {
  service = await startTestService({ pollHoldMs: HOLD_MS });
  [ada, bo] = await createUsers(service, 'Ada', 'Bo');
});
afterAll(() => service.stop());

/** A refused poll changes nothing: the queue returns the same events afterwards. */
async function expectAlive(queue: EventQueue): Promise<void> {
  const id = await ada!.sendDirect([bo!.userId], 'still there?');
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
  const slots = await readPollSlots(service.services.table, { kind: 'person', userId: bo!.userId });
  for (const { pollId } of slots.values()) waits.add(pollId);
  return waits.size;
}
const waits = new Set<string>();

describe('An event id that no client of the queue can have', () => {
  test('Fails if it is before the acknowledged one, however low, and changes nothing', async () => {
    const queue = await bo!.register({ event_types: ['message'] });
    await ada!.sendDirect([bo!.userId], 'acknowledged');
    await queue.drain();
    service.advance(61_000);
    await queue.drain();
    for (const id of [-1, 0, Number.MIN_SAFE_INTEGER])
      expectRefusal(
        await queue.poll({ last_event_id: id, dont_block: true }),
        `An event newer than ${id} has already been pruned!`,
      );
    await expectAlive(queue);
  });

  test('Fails if it is in the future, however high, and changes nothing', async () => {
    const queue = await bo!.register({ event_types: ['message'] });
    const next = (await readCounter(service.services.table)) + 1;
    for (const id of [endOfPosition(next), queue.lastEventId + 2 ** 40, Number.MAX_SAFE_INTEGER])
      expectRefusal(await queue.poll({ last_event_id: id }), `Event ${id} was not in this queue`);
    await expectAlive(queue);
  });

  test.each([
    ['1.5', 'last_event_id is not an integer'],
    ['1e3', 'last_event_id is not an integer'],
    ['-0.1', 'last_event_id is not an integer'],
    ['NaN', 'last_event_id is not valid JSON'],
    ['[1]', 'last_event_id is not an integer'],
    ['', 'last_event_id is not valid JSON'],
    [`${'9'.repeat(400)}`, 'last_event_id is not an integer'],
    ['9007199254740993', 'last_event_id is too large'],
    ['-9007199254740993', 'last_event_id is too small'],
  ])('Fails as %s and changes nothing', async (id, msg) => {
    const queue = await bo!.register({ event_types: ['message'] });
    expectRefusal(await queue.poll({ last_event_id: id, dont_block: true }), msg);
    await expectAlive(queue);
  });

  test('Answers for a queue of another user only that there is no such queue', async () => {
    const queue = await bo!.register({ event_types: ['message'] });
    for (const last_event_id of [-1, queue.lastEventId, Number.MAX_SAFE_INTEGER]) {
      const params = { queue_id: queue.queueId, last_event_id, dont_block: true };
      expectBadQueue(await ada!.get('/events', params), queue.queueId);
    }
    await expectAlive(queue);
  });
});

describe('Two polls of one queue at once', () => {
  test('Let the older one return empty at once, and the newer one get the events', async () => {
    const queue = await bo!.register({ event_types: ['message'] });
    const older = await startPoll(queue);
    const newer = await startPoll(queue);
    expect((await older.reply).body.events).toEqual([]);
    const id = await ada!.sendDirect([bo!.userId], 'for the newer');
    expect((await newer.reply).body.events).toMatchObject([{ type: 'message', message: { id } }]);
  });

  test('Do not disturb the waiting one if the other does not wait', async () => {
    const queue = await bo!.register({ event_types: ['message'] });
    const waiting = await startPoll(queue);
    expect((await queue.poll({ dont_block: true })).body.events).toEqual([]);
    const id = await ada!.sendDirect([bo!.userId], 'for who waits');
    expect((await waiting.reply).body.events).toMatchObject([{ type: 'message', message: { id } }]);
  });

  test('Do not disturb each other if the queues differ', async () => {
    const queues = [await bo!.register(), await bo!.register()];
    const polls = await Promise.all(queues.map(startPoll));
    const id = await ada!.sendDirect([bo!.userId], 'for both');
    for (const { reply } of polls) expect((await reply).body.events).toMatchObject([{ message: { id } }]);
  });

  test('Return all except the newest, however many there are', async () => {
    const queue = await bo!.register({ event_types: ['message'] });
    const polls = Array.from({ length: 8 }, () => queue.poll());
    const ended: number[] = [];
    for (const poll of polls) void poll.then(({ body }) => ended.push(body.events.length));
    while (ended.length < 7) await setImmediate();
    const id = await ada!.sendDirect([bo!.userId], 'for the last');
    const replies = (await Promise.all(polls)).flatMap(({ body }) => body.events);
    expect(ended.slice(0, 7)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(replies).toMatchObject([{ message: { id } }]);
  });
});

describe('A queue that is deleted while it is polled', () => {
  test('Ends each of its polls, and none brings it back to life', async () => {
    const queue = await bo!.register();
    const waiting = await startPoll(queue);
    const replies = await Promise.all([
      bo!.delete('/events', { queue_id: queue.queueId }),
      queue.poll({ dont_block: true }),
      queue.poll(),
    ]);
    expect(replies[0].status).toBe(200);
    for (const reply of [replies[1], replies[2], await waiting.reply])
      if (reply.status !== 200) expectBadQueue(reply, queue.queueId);
      else expect(reply.body.events).toEqual([]);
    expectBadQueue(await queue.poll(), queue.queueId);
    expectBadQueue(await bo!.delete('/events', { queue_id: queue.queueId }), queue.queueId);
  });
});

describe('Registering with excessive parameters', () => {
  test('Refuses a narrow of a thousand terms', async () => {
    const narrow = Array.from({ length: 1_000 }, (_, n) => ['topic', `topic ${n}`]);
    expectRefusal(await bo!.post('/register', { narrow }), 'narrow has too many terms (limit: 20)');
    const most = narrow.slice(0, 20);
    expect((await bo!.post('/register', { narrow: most, fetch_event_types: [] })).status).toBe(200);
  });

  test('Refuses a narrow with an endless operand', async () => {
    const narrow = [['topic', 'x'.repeat(501)]];
    expectRefusal(
      await bo!.post('/register', { narrow }),
      'narrow[0][1] is too long (limit: 500 characters)',
    );
  });

  test('Counts ten thousand event types once for each known type, at no additional cost of the queue', async () => {
    const unknown = Array.from({ length: 10_000 }, (_, n) => `type ${n} of mine`);
    const event_types = [...unknown, 'message', ...Array.from({ length: 1_000 }, () => 'message')];
    const unitsOf = async (types: string[]) => {
      service.meter.reset();
      const queue = await bo!.register({ event_types: types, fetch_event_types: [] });
      return { queue, write: service.meter.write };
    };
    const plain = await unitsOf(['message']);
    const { queue, write } = await unitsOf(event_types);
    expect(write).toBe(plain.write);
    await expectAlive(queue);
    const { status, body } = await bo!.post('/register', { event_types, fetch_event_types: unknown });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('max_message_id');
  });

  test.each([
    ['event_types', '["message", 1]', 'event_types[1] is not a string'],
    ['event_types', '{"0":"message"}', 'event_types is not a list'],
    ['event_types', 'message', 'event_types is not valid JSON'],
    ['narrow', '[["channel"]]', 'narrow[0] is too small'],
    ['narrow', '[["channel","a","b"]]', 'narrow[0] is too large'],
    ['narrow', '[["has","image"]]', 'Operator has not supported.'],
    ['idle_queue_timeout', '0', 'idle_queue_timeout is too small'],
    ['idle_queue_timeout', '-9007199254740993', 'idle_queue_timeout is too small'],
    ['idle_queue_timeout', '1.5', 'idle_queue_timeout is not an integer'],
  ])('Refuses %s=%s', async (name, value, msg) => {
    expectRefusal(await bo!.post('/register', { [name]: value }), msg);
  });
});
