import { describe, expect, test } from 'vitest';
import { BadEventQueueId } from '#shared/domain/errors.ts';
import { commit } from '#shared/log/commit.ts';
import { withCountsOfThen } from '#shared/queues/deferred-counts.ts';
import { listSince } from '#shared/queues/since.ts';
import { logEvent } from '#tests/harness/any-event.ts';
import { moveLogTo } from '#tests/harness/log.ts';
import { startTestService } from '#tests/harness/service.ts';

const START = 3_000;

const service = await startTestService();
const { services } = service;

/** One user comes to a channel so many positions after a position. */
async function comeAfter(position: number, positions: number): Promise<void> {
  await moveLogTo(services, position + positions - 1);
  const come = logEvent({ type: 'subscription', op: 'peer_add', stream_ids: [7], user_ids: [42] });
  expect(await commit(services, { events: [come] })).toBe(position + positions);
}

describe('A client that is behind', () => {
  test('Gets the earlier state up to 2000 positions back, and registers again beyond that', async () => {
    const { table } = services;
    await comeAfter(START, 2_000);
    const [entry, ...others] = await listSince(table, 'queue', START);
    expect(entry?.position).toBe(START + 2_000);
    expect(others).toEqual([]);
    await expect(listSince(table, 'queue', START - 1)).rejects.toThrow(BadEventQueueId);
  });

  test('Gets earlier subscriber counts up to 5000 positions back, and current ones beyond that', async () => {
    const position = 10_000;
    await comeAfter(position, 5_000);
    const streams = [{ stream_id: 7, subscriber_count: 3, subscribers: [1, 2, 42] }];
    const countsAfter = async (since: number) =>
      (await withCountsOfThen(services, { position: since, ownerId: 1 }, async () => ({ streams }))).streams;
    expect(await countsAfter(position)).toEqual([{ stream_id: 7, subscriber_count: 2, subscribers: [1, 2] }]);
    expect(await countsAfter(position - 1)).toEqual(streams);
  });
});
