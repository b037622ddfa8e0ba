import { describe, expect, test } from 'vitest';
import { endWaitingPolls } from '#shared/queues/newest-poll.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectBadQueue } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

// Longer than the test may take.
const service = await startTestService({ pollHoldMs: 600_000, pollLeaseCheckMs: 600_000 });
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const deleteAs = (client: Client, queueId: string) => client.delete('/events', { queue_id: queueId });

describe('Deleting a queue', () => {
  test('Ends it at once and permanently', async () => {
    const queue = await ada.register();
    expect((await deleteAs(ada, queue.queueId)).body).toEqual({ result: 'success', msg: '' });
    expectBadQueue(await queue.poll(), queue.queueId);
    expectBadQueue(await deleteAs(ada, queue.queueId), queue.queueId);
  });

  test('Ends its current poll', async () => {
    const queue = await ada.register();
    const polling = queue.poll();
    await service.untilHeld(queue);
    await deleteAs(ada, queue.queueId);
    expectBadQueue(await polling, queue.queueId);
  });

  test('Leaves all other queues alone, and sends them no event', async () => {
    const [doomed, mine, other] = [await ada.register(), await ada.register(), await bo.register()];
    await deleteAs(ada, doomed.queueId);
    for (const queue of [mine, other]) expect(await queue.drain()).toEqual([]);
    await bo.sendDirect([ada.userId], 'still there?');
    for (const queue of [mine, other])
      expect((await queue.drain()).map(({ type }) => type)).toEqual(['message']);
  });
});

describe('Deleting a queue is refused', () => {
  test('If it belongs to another user, and it lives on', async () => {
    const queue = await ada.register();
    for (const stranger of [bo, service.owner])
      expectBadQueue(await deleteAs(stranger, queue.queueId), queue.queueId);
    expect((await queue.poll({ dont_block: true })).status).toBe(200);
  });

  test('If it does not exist', async () => {
    const uuid = '00000000-0000-4000-8000-000000000000';
    for (const queueId of ['nonsense', '', uuid, 'x'.repeat(4_000), '\u0000'])
      expectBadQueue(await deleteAs(ada, queueId), queueId);
  });
});

test('A process that ends answers waiting and new polls, and loses no event', async () => {
  const ending = await startTestService({ pollHoldMs: 600_000 });
  const [ada, bo] = await createUsers(ending, 'Ada', 'Bo');
  const queue = await bo.listen({ event_types: ['message'] });
  const polling = queue.poll();
  await ending.untilHeld(queue);
  endWaitingPolls(ending.services);
  const heartbeats = (await polling).body.events;
  expect(heartbeats).toMatchObject([{ type: 'heartbeat' }]);
  queue.lastEventId = heartbeats[0].id;
  const next = (await queue.poll()).body.events;
  expect(next.every(({ type }: { type: string }) => type === 'heartbeat')).toBe(true);
  const id = await ada.sendDirect([bo.userId], 'still there');
  expect((await queue.poll()).body.events).toMatchObject([{ type: 'message', message: { id } }]);
});
