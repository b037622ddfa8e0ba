import { describe, expect, test } from 'vitest';
import { BadEventQueueId, ReplyTooLarge } from '#shared/domain/errors.ts';
import type { QueueFilter } from '#shared/events/queue-filter.ts';
import { readDeferred } from '#shared/queues/deferred-events.ts';
import { createQueue, getQueue, type Queue, saveIfDue, saveQueue } from '#shared/queues/queue.ts';
import { getUser } from '#shared/store/users/users.ts';
import { queueKeys } from '#shared/table/keys/queues.ts';
import { startTestService } from '#tests/harness/service.ts';

const filter: QueueFilter = {
  applyMarkdown: true,
  clientGravatar: false,
  slimPresence: false,
  eventTypes: null,
  allPublicChannels: false,
  narrow: [],
  capabilities: [],
};

let nowMs: number;
const service = await startTestService();
nowMs = Math.ceil(service.services.clock.nowMs() / 1_000) * 1_000;
const services = { ...service.services, clock: { ...service.services.clock, nowMs: () => nowMs } };

const USER_ID = 10;
const owner = { userId: USER_ID, filter, idleTimeoutSeconds: 600 };
const create = (): Promise<Queue> => createQueue(services, owner, 1_000);
/** So many users that a snapshot left out. */
const deferring = (count: number) => ({
  deferred: { users: Array.from({ length: count }, (_, n) => n + 1) },
  includeSubscribers: 'false' as const,
});
const find = ({ queueId }: Queue): Promise<Queue> => getQueue(services, USER_ID, queueId);

describe('A queue', () => {
  test('Ends a minute after its idle timeout, to the second', async () => {
    const queue = await create();
    nowMs += 660_000 - 1;
    expect(await find(queue)).toMatchObject({ queueId: queue.queueId });
    nowMs += 1;
    await expect(find(queue)).rejects.toThrow(BadEventQueueId);
    await expect(saveQueue(services, queue)).rejects.toThrow(BadEventQueueId);
  });

  test('Lives on from the second of its last save', async () => {
    const queue = await create();
    nowMs += 659_000;
    await saveQueue(services, queue);
    nowMs += 659_000;
    expect(await find(queue)).toMatchObject({ touchedAtMs: nowMs - 659_000 });
  });

  test('Keeps the longer life that a socket gave it', async () => {
    const queue = await create();
    const endSeconds = nowMs / 1_000 + 10_000;
    await saveQueue(services, queue, endSeconds);
    expect(await saveQueue(services, queue)).toMatchObject({ expiresAtSeconds: endSeconds });
    expect(await find(queue)).toMatchObject({ expiresAtSeconds: endSeconds });
  });

  test('Gets saved at the end of a poll that has passed a hundred positions, and not during it', async () => {
    const queue = await create();
    const passed = (positions: number): Queue => ({
      ...queue,
      scannedPosition: queue.scannedPosition + positions,
    });
    expect(await saveIfDue(services, passed(99), queue, { isLast: true })).toBe(queue);
    expect(await saveIfDue(services, passed(100), queue, { isLast: false })).toBe(queue);
    expect(await find(queue)).toMatchObject({ scannedPosition: 1_000 });
    expect(await saveIfDue(services, passed(100), queue, { isLast: true })).toMatchObject({
      scannedPosition: 1_100,
    });
    expect(await find(queue)).toMatchObject({ scannedPosition: 1_100 });
  });

  test('Gets saved by any poll a minute after its last save', async () => {
    const queue = await create();
    nowMs += 59_999;
    expect(await saveIfDue(services, queue, queue, { isLast: false })).toBe(queue);
    nowMs += 1;
    expect(await saveIfDue(services, queue, queue, { isLast: false })).toMatchObject({ touchedAtMs: nowMs });
    expect(await find(queue)).toMatchObject({ touchedAtMs: nowMs });
  });

  test('Starts with at most as many deferred items as there are ids before the next position', async () => {
    const most = (2 ** 20 - 4_096) / 4;
    expect(await createQueue(services, owner, 1_000, deferring(most))).toMatchObject({
      deferred: { position: 1_000, count: most },
    });
    await expect(createQueue(services, owner, 1_000, deferring(most + 1))).rejects.toThrow(ReplyTooLarge);
  });

  test('Ends if its list of deferred items is shorter than it was, or lost', async () => {
    const queue = await createQueue(services, owner, 1_000, deferring(3));
    const user = await getUser(services.table, service.owner.userId);
    const key = queueKeys.deferred(queue.queueId);
    await services.table.write({ kind: 'update', key, set: { ids: {} } });
    await expect(readDeferred(services, queue, user)).rejects.toThrow(BadEventQueueId);
    await services.table.write({ kind: 'delete', key });
    await expect(readDeferred(services, queue, user)).rejects.toThrow(BadEventQueueId);
  });

  test('From a release without activity times counts as never active', async () => {
    const queue = await create();
    await services.table.write({ kind: 'update', key: queueKeys.queue(queue.queueId), remove: ['activeMs'] });
    expect(await find(queue)).toMatchObject({ activeMs: 0 });
  });
});
