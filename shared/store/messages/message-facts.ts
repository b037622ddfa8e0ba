import { type BlockSummary, readBlockSummary } from '#shared/domain/messages/block-summary.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { listBlockSummaries } from '#shared/store/log/block-summaries.ts';
import { listLogged, listToEnd } from '#shared/store/log/log.ts';
import { blockOf } from '#shared/table/keys/log.ts';
import type { Table } from '#shared/table/table.ts';
import { isMessageId, listMessagesById } from './messages.ts';

/** Reading the summary of a block costs less than reading this many of its messages. */
const WORTH_A_BLOCK_SUMMARY = 5;

/**
 * The messages between two positions: from block summaries if they exist, from the log after them. With
 * strongly consistent reads, messages that were just moved are at their new place.
 */
export async function listFacts(
  table: Table,
  after: number,
  upTo: number,
  { consistent = false } = {},
): Promise<MessageFacts[]> {
  if (after >= upTo) return [];
  const blockSummaries = await listBlockSummaries(table, after + 1, upTo, { consistent });
  const digested = Math.min(upTo, Math.max(after, reachOf(blockSummaries, after)));
  const newer = consistent
    ? await listLogged(table, digested + 1, upTo)
    : await listToEnd(listLogged, table, digested + 1, upTo);
  const logged = newer.flatMap(({ position, message }) =>
    message ? [{ ...message, messageId: position }] : [],
  );
  const ofBlocks = blockSummaries
    .flatMap(readBlockSummary)
    .filter(({ messageId }) => messageId > after && messageId <= digested);
  return ofBlocks.concat(logged);
}

/** How far the summaries reach without a gap: a stale replica may lack any of them, or have it as it was. */
function reachOf(blockSummaries: BlockSummary[], from: number): number {
  let reach = from;
  for (const { after, to } of blockSummaries) {
    if (after > reach) break;
    reach = to;
  }
  return reach;
}

/** The existing messages with these ids, ascending; from block summaries when many are close together. */
export async function listFactsById(table: Table, messageIds: number[]): Promise<MessageFacts[]> {
  const wanted = new Set(messageIds.filter(isMessageId));
  const blocks = [
    ...Map.groupBy(
      [...wanted].sort((a, b) => a - b),
      blockOf,
    ).values(),
  ];
  const isDense = (ids: number[]): boolean => ids.length >= WORTH_A_BLOCK_SUMMARY;
  const [scattered, dense] = await Promise.all([
    listMessagesById(table, blocks.filter((ids) => !isDense(ids)).flat()),
    mapConcurrently(blocks.filter(isDense), (ids) => listFacts(table, (ids[0] ?? 0) - 1, ids.at(-1) ?? 0)),
  ]);
  return [...scattered, ...dense.flat()]
    .filter(({ messageId }) => wanted.has(messageId))
    .sort((a, b) => a.messageId - b.messageId);
}
