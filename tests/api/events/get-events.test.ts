import { describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import { expectBadQueue, expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUsers, idsOf } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

/** Less than a minute, after which there is a heartbeat. */
const HOLD_MS = 30_000;

const service = await startTestService({ pollHoldMs: HOLD_MS, pollLeaseCheckMs: 50 });
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);

describe('A queue id', () => {
  test.each(['nonsense', '', 'x'.repeat(4_000), '\u0000'])(
    'Fails if no queue has it: %#',
    proves('event-queues.7'),
    async (queueId) => {
      expectBadQueue(await bo.get('/events', { queue_id: queueId, last_event_id: -1 }), queueId);
    },
  );

  test('Fails for another user’s queue like one that does not exist', async () => {
    const queue = await bo.register();
    const params = { queue_id: queue.queueId, last_event_id: queue.lastEventId, dont_block: true };
    expectBadQueue(await ada.get('/events', params), queue.queueId);
    expectBadQueue(await service.owner.get('/events', params), queue.queueId);
    expect((await bo.get('/events', params)).status).toBe(200);
  });
});

describe('Waiting', () => {
  test('Ends as soon as there is an event', proves('event-queues.1', 'register-queue.2'), async () => {
    const queue = await bo.register();
    const polling = queue.poll();
    const id = await ada.send(room.name, 'topic', 'wake up');
    const { body } = await polling;
    expect(body.queue_id).toBe(queue.queueId);
    expect(body.events).toMatchObject([{ type: 'message', message: { id } }]);
  });

  test('Ends without events after a while', async () => {
    const queue = await bo.register();
    const polling = queue.poll();
    await service.untilHeld(queue);
    service.advance(HOLD_MS);
    expect((await polling).body.events).toEqual([]);
  });

  test('Does not happen with dont_block', async () => {
    const queue = await bo.register();
    const { body } = await queue.poll({ dont_block: true });
    expect(body).toEqual({ result: 'success', msg: '', events: [], queue_id: queue.queueId });
    expect(await service.isHeld(queue)).toBe(false);
  });

  test('Continues over events of others', async () => {
    const [cy, di] = await createUsers(service, 'Cy', 'Di');
    const queue = await cy.register();
    const polling = queue.poll();
    await ada.sendDirect([di.userId], 'not for Cy');
    const id = await ada.sendDirect([cy.userId], 'for Cy');
    expect((await polling).body.events).toMatchObject([{ message: { id } }]);
  });

  test('Works for several queues of one user at once, and each gets every event', async () => {
    const queues = [await bo.register(), await bo.register()];
    const polls = queues.map((queue) => queue.poll());
    const id = await ada.send(room.name, 'topic', 'everywhere');
    for (const { body } of await Promise.all(polls)) expect(body.events).toMatchObject([{ message: { id } }]);
  });
});

describe('The last event id', () => {
  test('Acknowledges all events before it; later ones return until they are acknowledged', async () => {
    const queue = await bo.register({ event_types: ['message'] });
    const sent = [];
    for (const content of ['one', 'two', 'three']) sent.push(await ada.send(room.name, 'topic', content));
    const poll = async (lastEventId: number) => {
      const { body } = await queue.poll({ last_event_id: lastEventId, dont_block: true });
      return body.events as { id: number; message: { id: number } }[];
    };
    const [first, second, third] = await poll(queue.lastEventId);
    expect(idsOf([first, second, third].map((event) => event?.message ?? { id: 0 }))).toEqual(sent);
    expect(await poll(queue.lastEventId)).toEqual([first, second, third]);
    expect(await poll(first?.id ?? 0)).toEqual([second, third]);
    expect(await poll(third?.id ?? 0)).toEqual([]);
  });

  test('Grows strictly over events of one change and of many', async () => {
    const queue = await bo.register();
    await createChannel(service, [bo, ada]);
    for (const content of ['one', 'two']) await ada.send(room.name, 'topic', content);
    const { body } = await queue.poll({ dont_block: true });
    const ids: number[] = idsOf(body.events);
    expect(ids.length).toBeGreaterThan(4);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(ids.every((id) => Number.isSafeInteger(id) && id > queue.lastEventId)).toBe(true);
  });

  test('May be within the events of one change, which then returns the rest', async () => {
    const queue = await bo.register();
    await bo.subscribe(`half ${room.name}`);
    const { body } = await queue.poll({ dont_block: true });
    const [first, ...others] = body.events;
    expect(others.length).toBeGreaterThan(0);
    const rest = await queue.poll({ last_event_id: first.id, dont_block: true });
    expect(rest.body.events.slice(0, others.length)).toEqual(others);
  });

  test('Means the start of the queue if it is lower, until an event was acknowledged', async () => {
    const queue = await bo.register({ event_types: ['message'] });
    const id = await ada.sendDirect([bo.userId], 'the first');
    const whole = { events: [{ type: 'message', message: { id } }] };
    const before = [-1, 0, Number.MIN_SAFE_INTEGER, queue.lastEventId - 1];
    for (const last_event_id of [...before, ...before]) {
      expect((await queue.poll({ last_event_id })).body).toMatchObject(whole);
      service.advance(16_000);
    }
    await queue.drain();
    service.advance(61_000);
    await queue.poll({ dont_block: true });
    for (const last_event_id of before) {
      const reply = await queue.poll({ last_event_id, dont_block: true });
      expectRefusal(reply, `An event newer than ${last_event_id} has already been pruned!`);
    }
  });

  test('Waits if it is before the start of an empty queue', async () => {
    const queue = await bo.register({ event_types: ['message'] });
    const polling = queue.poll({ last_event_id: -1 });
    const id = await ada.sendDirect([bo.userId], 'soon');
    expect((await polling).body.events).toMatchObject([{ message: { id } }]);
  });
});

describe('Heartbeats', () => {
  test('Arrive each minute for any types of events, with growing ids', proves('event-queues.8'), async () => {
    const queue = await bo.register({ event_types: ['stream'] });
    const ids: number[] = [queue.lastEventId];
    for (let minute = 0; minute < 3; minute++) {
      service.advance(40_000);
      const early = await queue.poll({ last_event_id: ids.at(-1), dont_block: true });
      expect(early.body.events).toEqual([]);
      service.advance(21_000);
      const { body } = await queue.poll({ last_event_id: ids.at(-1), dont_block: true });
      expect(body.events).toEqual([{ type: 'heartbeat', id: expect.any(Number) }]);
      ids.push(body.events[0].id);
    }
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  test('End the waiting', async () => {
    const queue = await bo.register();
    service.advance(61_000);
    const { body } = await queue.poll();
    expect(body.events).toMatchObject([{ type: 'heartbeat' }]);
  });

  test('Need no acknowledgement, and lose no event', async () => {
    const queue = await bo.register({ event_types: ['message'] });
    service.advance(61_000);
    const { body } = await queue.poll({ dont_block: true });
    const id = await ada.send(room.name, 'topic', 'after the heartbeat');
    for (const last_event_id of [queue.lastEventId, body.events[0].id]) {
      const reply = await queue.poll({ last_event_id, dont_block: true });
      expect(reply.body.events).toMatchObject([{ type: 'message', message: { id } }]);
    }
  });
});
