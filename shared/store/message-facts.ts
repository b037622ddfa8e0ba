import { type Digest, readDigest } from '#shared/domain/messages/digest.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { blockOf } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { listDigests } from './digests.ts';
import { listLogged, listToEnd } from './log.ts';
import { isMessageId, listMessagesById } from './messages.ts';

/** From so many messages of a block on, its digest costs less than the messages. */
const WORTH_A_DIGEST = 5;

/**
 * The messages after a position and up to another: digests where there are some, the log for what is newer. Strongly
 * consistent reads tell where they are also when they were moved just now.
 */
export async function listFacts(
  table: Table,
  after: number,
  upTo: number,
  { consistent = false } = {},
): Promise<MessageFacts[]> {
  if (after >= upTo) return [];
  const digests = await listDigests(table, after + 1, upTo, { consistent });
  const digested = Math.min(upTo, Math.max(after, endOf(digests)));
  const newer = consistent
    ? await listLogged(table, digested + 1, upTo)
    : await listToEnd(listLogged, table, digested + 1, upTo);
  const logged = newer.flatMap(({ position, message }) =>
    message ? [{ ...message, messageId: position }] : [],
  );
  return [
    ...digests.flatMap(readDigest).filter(({ messageId }) => messageId > after && messageId <= digested),
    ...logged,
  ];
}

/** Up to where digests follow each other: one that is not as new as the next may end sooner than that begins. */
function endOf(digests: Digest[]): number {
  const end = digests.findIndex(({ to }, index) => to < (digests[index + 1]?.after ?? Infinity));
  return digests[end]?.to ?? 0;
}

/** The messages with these ids that exist, ascending: out of digests where many are close together. */
export async function listFactsById(table: Table, messageIds: number[]): Promise<MessageFacts[]> {
  const wanted = new Set(messageIds.filter(isMessageId));
  const blocks = [
    ...Map.groupBy(
      [...wanted].sort((a, b) => a - b),
      blockOf,
    ).values(),
  ];
  const isDense = (ids: number[]): boolean => ids.length >= WORTH_A_DIGEST;
  const [scattered, dense] = await Promise.all([
    listMessagesById(table, blocks.filter((ids) => !isDense(ids)).flat()),
    mapConcurrently(blocks.filter(isDense), (ids) => listFacts(table, (ids[0] ?? 0) - 1, ids.at(-1) ?? 0)),
  ]);
  return [...scattered, ...dense.flat()]
    .filter(({ messageId }) => wanted.has(messageId))
    .sort((a, b) => a.messageId - b.messageId);
}
