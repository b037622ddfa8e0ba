import { type Digest, readDigest } from '#shared/domain/messages/digest.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { blockOf } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { listDigests } from './digests.ts';
import { listLogged } from './log.ts';
import type { Logged } from './log-entry.ts';
import { isMessageId, listMessagesById } from './messages.ts';

/** The few newest entries are likely not to have reached every replica. */
const STRONG_ENTRIES = 20;
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
  const split = Math.max(digested, upTo - STRONG_ENTRIES);
  const [older, newest] = await Promise.all([
    consistent ? listLogged(table, digested + 1, split) : listGapless(table, digested + 1, split),
    listLogged(table, split + 1, upTo),
  ]);
  const logged = [...older, ...newest].flatMap(({ position, message }) =>
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

/** The entries of a range without holes. Where one is missing, the replica that was read lags behind. */
async function listGapless(table: Table, from: number, to: number): Promise<Logged[]> {
  const entries = await listLogged(table, from, to, { eventually: true });
  return entries.length > to - from ? entries : listLogged(table, from, to);
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
