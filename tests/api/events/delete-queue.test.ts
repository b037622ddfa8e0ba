import { describe, expect, test } from 'vitest';
import { expectBadQueue } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

// Longer than the test may take.
const service = await startTestService({ pollHoldMs: 600_000, pollLeaseCheckMs: 600_000 });
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

describe('Deleting a queue', () => {
  test('Ends it at once and permanently', async () => {
    const queue = await ada.register();
    const { status, body } = await ada.delete('/events', { queue_id: queue.queueId });
    expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
    expectBadQueue(await queue.poll(), queue.queueId);
    expectBadQueue(await ada.delete('/events', { queue_id: queue.queueId }), queue.queueId);
  });

  test('Ends its current poll', async () => {
    const queue = await ada.register();
    const polling = queue.poll();
    await service.untilHeld(queue);
    await ada.delete('/events', { queue_id: queue.queueId });
    expectBadQueue(await polling, queue.queueId);
  });

  test('Leaves all other queues alone, and sends them no event', async () => {
    const [doomed, mine, other] = [await ada.register(), await ada.register(), await bo.register()];
    await ada.delete('/events', { queue_id: doomed.queueId });
    expect(await mine.drain()).toEqual([]);
    expect(await other.drain()).toEqual([]);
    await bo.sendDirect([ada.userId], 'still there?');
    expect((await mine.drain()).map(({ type }) => type)).toEqual(['message']);
    expect((await other.drain()).map(({ type }) => type)).toEqual(['message']);
  });
});

describe('Deleting a queue is refused', () => {
  test('If it belongs to another user, and it lives on', async () => {
    const queue = await ada.register();
    for (const stranger of [bo, service.owner])
      expectBadQueue(await stranger.delete('/events', { queue_id: queue.queueId }), queue.queueId);
    expect((await queue.poll({ dont_block: true })).status).toBe(200);
  });

  test('If it does not exist', async () => {
    for (const queueId of [
      'nonsense',
      '',
      '00000000-0000-4000-8000-000000000000',
      'x'.repeat(4_000),
      '\u0000',
    ])
      expectBadQueue(await ada.delete('/events', { queue_id: queueId }), queueId);
  });
});
