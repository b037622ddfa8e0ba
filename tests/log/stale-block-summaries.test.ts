import { beforeAll, expect, test } from 'vitest';
import { emptyBlockSummary, extendBlockSummary } from '#shared/domain/messages/block-summary.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { storeBlockSummary } from '#shared/store/log/block-summaries.ts';
import { listToEnd } from '#shared/store/log/log.ts';
import { noOpEntry, toItem } from '#shared/store/log/log-entry.ts';
import { listFacts } from '#shared/store/messages/message-facts.ts';
import { logPartitions } from '#shared/table/keys/log.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  for (const block of BLOCKS) await fill(block);
});

const BLOCKS = [7, 8, 9];
/** The one message of a block. */
const idOf = (block: number): number => block * 1000 + 500;

async function fill(block: number): Promise<void> {
  const { table } = service.services;
  const messageId = idOf(block);
  const message = { kind: 'channel', channelId: 1, topic: 'logo', senderId: 2, messageId } as Message;
  const entry = { ...noOpEntry(messageId, 0, `block ${block}`), message };
  await table.write({ kind: 'put', item: toItem(entry) });
  const empty = emptyBlockSummary(block * 1000 - 1);
  await storeBlockSummary(table, empty, extendBlockSummary(empty, [message], block * 1000 + 999));
}

/** A replica that has not heard of the summaries of some blocks. */
function staleBy(table: Table, isMissing: (block: number) => boolean): Table {
  const isStale = ({ pk, after }: Item): boolean =>
    pk === logPartitions.blockSummaries() && isMissing((Number(after) + 1) / 1000);
  return {
    ...table,
    list: async (query) => (await table.list(query)).filter((item) => !isStale(item)),
  };
}

test.each([
  ['none', []],
  ['the first', [7]],
  ['the one between', [8]],
  ['the last', [9]],
  ['the first two', [7, 8]],
  ['all', BLOCKS],
])('A replica that lacks the summaries of %s hides no message', async (_which, missing: number[]) => {
  const table = staleBy(service.services.table, (block) => missing.includes(block));
  const facts = await listFacts(table, 7_000, 9_900);
  expect(facts.map(({ messageId }) => messageId)).toEqual(BLOCKS.map(idOf));
});

test('The last twenty positions are read strongly, and older ones too if a replica lacks one of them', async () => {
  const { table } = service.services;
  const calls: string[] = [];
  const listing =
    (missing: number[]) =>
    async (_table: Table, from: number, to: number, how?: { eventually?: boolean }) => {
      calls.push(`${how?.eventually ? 'eventually' : 'strongly'} ${from} ${to}`);
      const positions = Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n);
      const seen = how?.eventually ? positions.filter((one) => !missing.includes(one)) : positions;
      return seen.map((position) => ({ position, atMs: 0 }));
    };
  const read = async (missing: number[], from = 1) => {
    calls.length = 0;
    return (await listToEnd(listing(missing), table, from, 50)).map(({ position }) => position);
  };
  const all = Array.from({ length: 50 }, (_, n) => n + 1);
  expect(await read([])).toEqual(all);
  expect(calls).toEqual(['eventually 1 30', 'strongly 31 50']);
  expect(await read([30])).toEqual(all);
  expect(calls).toEqual(['eventually 1 30', 'strongly 31 50', 'strongly 1 30']);
  expect(await read([], 45)).toEqual(all.slice(44));
});
