import { readDigest } from '#shared/domain/messages/digest.ts';
import { blockOf, keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { listDigestsOf } from './digests.ts';

/** How far the deletion of old messages has come. */
export interface RetentionProgress {
  /** Before this there is nothing to do. */
  nextAtSeconds: number;
  /** No old direct message is left up to here. */
  directPosition: number;
  /** Whether any message was ever deleted. */
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
 * The messages among these that were not deleted, as digests tell. Reads nothing where none was ever deleted, else the
 * digest of each block that is asked about.
 */
export async function listUndeleted(table: Table, messageIds: number[]): Promise<number[]> {
  if (messageIds.length === 0 || !(await findRetentionProgress(table)).hasDeleted) return messageIds;
  const digests = await listDigestsOf(table, new Set(messageIds.map(blockOf)));
  const known = new Map(
    digests.map((digest) => [
      blockOf(digest.to),
      { to: digest.to, ids: new Set(readDigest(digest).map(({ messageId }) => messageId)) },
    ]),
  );
  return messageIds.filter((id) => {
    const block = known.get(blockOf(id));
    return !block || id > block.to || block.ids.has(id);
  });
}
