import { readBlockSummary } from '#shared/domain/messages/block-summary.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import { type Subscriptions, wasNeverLost } from '#shared/domain/messages/moving/move-history.ts';
import { isGuest, type User } from '#shared/domain/users/user.ts';
import { listMessagesById } from '#shared/store/messages/messages.ts';
import { blockOf, keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { listBlockSummariesOf } from './block-summaries.ts';

/** The progress of deleting old messages. */
export interface RetentionProgress {
  /** Nothing is due before this time. */
  nextAtSeconds: number;
  /** All expired direct messages up to here are deleted. */
  directPosition: number;
  /** Whether any message was ever deleted or moved to another channel. */
  hasDeleted: boolean;
}

export async function findRetentionProgress(table: Table): Promise<RetentionProgress> {
  const item = await table.find(keys.retention());
  return {
    nextAtSeconds: Number(item?.nextAtSeconds ?? 0),
    directPosition: Number(item?.directPosition ?? 0),
    hasDeleted: item?.hasDeleted === true,
  };
}

export const moveRetentionProgress = (table: Table, set: Partial<RetentionProgress>): Promise<void> =>
  table.write({ kind: 'update', key: keys.retention(), set });

/**
 * The messages that were neither deleted nor moved away from their reader, according to block summaries.
 * Reads nothing if that never happened, otherwise the summary of each block, and the messages that are in no
 * summary yet.
 */
export async function listUndeleted(
  table: Table,
  messageIds: number[],
  { user, subscriptions }: { user: User; subscriptions: Subscriptions },
): Promise<number[]> {
  if (messageIds.length === 0 || !(await findRetentionProgress(table)).hasDeleted) return messageIds;
  const blockSummaries = await listBlockSummariesOf(table, new Set(messageIds.map(blockOf)));
  const ends = new Map(blockSummaries.map(({ after, to }) => [blockOf(after + 1), to]));
  const newer = messageIds.filter((id) => id > (ends.get(blockOf(id)) ?? 0));
  const facts = [...blockSummaries.flatMap(readBlockSummary), ...(await listMessagesById(table, newer))];
  const isKept = (message: MessageFacts): boolean =>
    message.kind === 'direct' || wasNeverLost(message, subscriptions, isGuest(user));
  const kept = new Set(facts.filter(isKept).map(({ messageId }) => messageId));
  return messageIds.filter((id) => kept.has(id));
}
