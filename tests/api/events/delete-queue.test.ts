import { afterAll, describe, expect, test } from 'vitest';
import { expectBadQueue, expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

// Longer than the test may take.
const service = await startTestService({ pollHoldMs: 600_000, pollLeaseCheckMs: 600_000 });
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
afterAll(() => service.stop());

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

  test('Accepts the queue in the query string as well', async () => {
    const queue = await ada.register();
    const reply = await ada.delete(`/events?queue_id=${queue.queueId}`);
    expect(reply.status).toBe(200);
    expectBadQueue(await queue.poll(), queue.queueId);
  });

  test('Changes no data', async () => {
    const queue = await ada.register();
    await expectConsistentSnapshot(service, [ada, bo], () =>
      ada.delete('/events', { queue_id: queue.queueId }),
    );
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

  test('Without the name of a queue', async () => {
    expectMissing(await ada.delete('/events'), 'queue_id');
  });

  test('Without a key, and for a deactivated account', async () => {
    const [gone] = await createUsers(service, 'Gone');
    const { queueId } = await gone.register();
    const noOne = await gone.delete('/events', { queue_id: queueId }, { headers: { authorization: '' } });
    expect(noOne).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    await service.deactivate(gone);
    const refused = await gone.delete('/events', { queue_id: queueId });
    expectRefusal(refused, 'Account is deactivated', { status: 401, code: 'USER_DEACTIVATED' });
  });
});
