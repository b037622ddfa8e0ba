import { readDigest } from '#shared/domain/messages/digest.ts';
import { type Subscriptions, wasNeverLost } from '#shared/domain/messages/journey.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import { isGuest, type User } from '#shared/domain/users/user.ts';
import { blockOf, keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { listDigestsOf } from './digests.ts';
import { listMessagesById } from './messages.ts';

/** How far the deletion of old messages has come. */
export interface RetentionProgress {
  /** Before this there is nothing to do. */
  nextAtSeconds: number;
  /** No old direct message is left up to here. */
  directPosition: number;
  /** Whether any message was ever deleted, or moved to another channel. */
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
 * The messages among these that were neither deleted nor moved to where their reader may not follow, as digests tell.
 * Reads nothing where that never happened, else the digest of each block that is asked about, and the messages that no
 * digest holds yet.
 */
export async function listUndeleted(
  table: Table,
  messageIds: number[],
  { user, subscriptions }: { user: User; subscriptions: Subscriptions },
): Promise<number[]> {
  if (messageIds.length === 0 || !(await findRetentionProgress(table)).hasDeleted) return messageIds;
  const digests = await listDigestsOf(table, new Set(messageIds.map(blockOf)));
  const ends = new Map(digests.map(({ after, to }) => [blockOf(after + 1), to]));
  const newer = messageIds.filter((id) => id > (ends.get(blockOf(id)) ?? 0));
  const facts = [...digests.flatMap(readDigest), ...(await listMessagesById(table, newer))];
  const isKept = (message: MessageFacts): boolean =>
    message.kind === 'direct' || wasNeverLost(message, subscriptions, isGuest(user));
  const kept = new Set(facts.filter(isKept).map(({ messageId }) => messageId));
  return messageIds.filter((id) => kept.has(id));
}
