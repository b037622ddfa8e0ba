import { expect, test } from 'vitest';
import { emptyBlockSummary, readBlockSummary } from '#shared/domain/messages/block-summary.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import {
  blockSummaryChangeWrites,
  foldBlockSummaryChanges,
  getBlockSummary,
  listBlockSummaries,
  storeBlockSummary,
} from '#shared/store/log/block-summaries.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import { withCalls } from '#tests/harness/log.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

/** Blocks that nothing was written to. */
const [BLOCK, OTHER_BLOCK] = [7, 8];
const idsIn = (block: number) => Array.from({ length: 120 }, (_, n) => block * 1000 + n + 1);
const ids = idsIn(BLOCK);
const movedMessage = (messageId: number, topic: string) =>
  ({ kind: 'channel', messageId, channelId: 1, topic }) as Message;

test('Many changes of a block are merged into its digest, with the same content before and after', async () => {
  const { table } = service.services;
  const before = emptyBlockSummary(BLOCK * 1000 - 1);
  const place = { channelId: 1, topic: 'a' };
  const digested = ids.slice(0, 110);
  const messages = digested.flatMap((id) => [id - before.after, 0, 0]);
  await storeBlockSummary(table, before, {
    after: before.after,
    to: digested.at(-1) ?? 0,
    places: [place],
    messages,
  });
  const change = async (moved: number[], deleted: number[]) => {
    for (const write of blockSummaryChangeWrites(
      moved.map((id) => movedMessage(id, 'b')),
      deleted,
    ))
      await table.transact([write], service.services.ids.writeId());
  };
  const read = async () =>
    (await listBlockSummaries(table, ids[0] ?? 0, ids.at(-1) ?? 0)).flatMap(readBlockSummary);
  await change(ids.slice(0, 50), ids.slice(50, 60));
  await foldBlockSummaryChanges(table, ids, service.services.ids.writeId());
  expect(await table.find(logKeys.blockSummaryChanges(BLOCK))).toHaveProperty(`m${ids[0]}`);
  await change(ids.slice(60, 120), []);
  const known = await read();
  expect(known).toHaveLength(100);
  await foldBlockSummaryChanges(table, ids, service.services.ids.writeId());
  expect(await read()).toEqual(known);
  expect(readBlockSummary(await getBlockSummary(table, BLOCK))).toEqual(known);
  const left = Object.keys((await table.find(logKeys.blockSummaryChanges(BLOCK))) ?? {});
  // Changes that no digest holds yet stay.
  expect(left.filter((name) => name.startsWith('m')).sort()).toEqual(ids.slice(110).map((id) => `m${id}`));
});

test('Many changes of a block stay if one more is written during the merge', async () => {
  const { services } = service;
  const { table } = services;
  const [last = 0, ...changed] = idsIn(OTHER_BLOCK).toReversed();
  const before = emptyBlockSummary(OTHER_BLOCK * 1000 - 1);
  const messages = [...changed.toReversed(), last].flatMap((id) => [id - before.after, 0, 0]);
  const places = [{ channelId: 1, topic: 'a' }];
  await storeBlockSummary(table, before, { after: before.after, to: last, places, messages });
  const remove = async (deleted: number[]) => {
    await table.transact(blockSummaryChangeWrites([], deleted), services.ids.writeId());
  };
  const read = async () => (await listBlockSummaries(table, last - 119, last)).flatMap(readBlockSummary);
  const stored = await getBlockSummary(table, OTHER_BLOCK);
  await remove(changed);
  expect(await read()).toHaveLength(1);
  const met = withCalls(services, () => ({
    transact: async (...args) => {
      await remove([last]);
      await table.transact(...args);
    },
  }));
  await foldBlockSummaryChanges(met.table, changed, services.ids.writeId());
  expect(await read()).toEqual([]);
  expect(await getBlockSummary(table, OTHER_BLOCK)).toEqual(stored);
});
