import { describe, expect, test } from 'vitest';
import { toItem } from '#shared/store/log/log-entry.ts';
import { positionSortKey } from '#shared/table/keys/log.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Query } from '#shared/table/table.ts';
import { writeInBatches } from '#tests/harness/bulk-people.ts';
import type { Client } from '#tests/harness/client.ts';
import { channelMessage } from '#tests/harness/samples.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const ada = service.owner;
const bo = await service.createUser('Bo');
const design = await ada.subscribe('design');
await bo.subscribe('design');

const page = async (reader: Client, params: Record<string, unknown>) => {
  const { body } = await reader.get('/messages', { num_before: 0, num_after: 0, ...params });
  expect(body).toMatchObject({ result: 'success' });
  return body;
};

const idsOf = (body: { messages: { id: number }[] }): number[] => body.messages.map(({ id }) => id);

/** Puts many messages of a sender into the log at once, without the service. */
async function write(senderId: number, count: number, content = 'x'): Promise<number[]> {
  const { table, clock } = service.services;
  const last = await table.increment(organizationKeys.counter('log'), 'position', count);
  const ids = Array.from({ length: count }, (_, n) => last - count + 1 + n);
  const atMs = clock.nowMs();
  const message = channelMessage({
    channelId: design,
    topic: 'load',
    senderId,
    atSeconds: Math.floor(atMs / 1000),
    content,
    html: `<p>${content}</p>`,
  });
  await writeInBatches(
    service.services,
    ids.map((position) => ({
      kind: 'put',
      item: toItem({ position, atMs, writeId: 'test', events: [], message }),
    })),
  );
  return ids;
}

describe('A page of messages', () => {
  test('Holds the newest message although the indexes do not have it yet', async () => {
    const { table } = service.services;
    const read = table.page.bind(table);
    let indexedUpTo = 0;
    const lagging = (query: Query): Query =>
      query.index
        ? { ...query, to: [String(query.to), positionSortKey(indexedUpTo)].sort()[0] as string }
        : query;
    table.page = (query) => read(lagging(query));
    try {
      for (let lag = 0; lag < 10; lag++) {
        const id = await ada.send('design', 'lag', 'x');
        const direct = await ada.sendDirect([bo.userId], 'x');
        indexedUpTo = id - 1 - lag;
        const newest = { anchor: 'newest', num_before: 2 };
        const byTopic = [
          ['channel', 'design'],
          ['topic', 'lag'],
        ];
        expect(idsOf(await page(bo, { ...newest, narrow: byTopic })).at(-1)).toBe(id);
        expect(idsOf(await page(bo, { ...newest, narrow: [['channel', 'design']] })).at(-1)).toBe(id);
        expect(idsOf(await page(bo, { ...newest, narrow: [['dm', ada.email]] })).at(-1)).toBe(direct);
        expect(idsOf(await page(bo, { ...newest, narrow: [['is', 'dm']] })).at(-1)).toBe(direct);
        const onwards = { anchor: id - 1, num_after: 50, narrow: [['channel', 'design']] };
        expect(idsOf(await page(bo, onwards))).toContain(id);
        expect(idsOf(await page(bo, { anchor: id, narrow: byTopic }))).toEqual([id]);
      }
    } finally {
      table.page = read;
    }
  });

  test('Reads a bounded part of the log for a narrow without an index, and the client pages on', async () => {
    const [rare, other] = [9_001, 9_002];
    await service.services.table.write({
      kind: 'put',
      item: { ...userKeys.user(rare), userId: rare, email: 'rare@example.com' },
    });
    const [first] = await write(rare, 1);
    await write(other, 5_500);
    const [second] = await write(rare, 1);
    const narrow = [{ operator: 'sender', operand: rare }];
    const newest = await page(bo, { anchor: 'newest', num_before: 10, narrow });
    expect(idsOf(newest)).toEqual([second]);
    expect(newest).toMatchObject({ found_newest: true, found_oldest: false });
    const older = await page(bo, { anchor: second, num_before: 10, include_anchor: false, narrow });
    expect(idsOf(older)).toEqual([first]);
    const onwards = await page(bo, { anchor: first, num_after: 10, narrow });
    expect(idsOf(onwards)).toEqual([first, second]);
  });

  test('Never exceeds the size limit of a reply', async () => {
    const ids = await write(bo.userId, 400, 'x'.repeat(10_000));
    const body = await page(bo, { anchor: 'newest', num_before: 5_000, narrow: [['channel', 'design']] });
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(4_000_000);
    expect(body).toMatchObject({ found_newest: true, found_oldest: false });
    expect(idsOf(body)).toEqual(ids.slice(-body.messages.length));
  });

  test('For a new user does not start before their account', async () => {
    const newcomer = await service.createUser('Newcomer');
    await service.settle();
    const all = await page(newcomer, { anchor: 'first_unread', num_before: 100, num_after: 100 });
    expect(all).toMatchObject({ found_oldest: true, found_newest: true });
  });
});
