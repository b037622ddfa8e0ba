import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** How far the deletion of old messages has come. */
export interface RetentionProgress {
  /** Before this there is nothing to do. */
  nextAtSeconds: number;
  /** No old direct message is left up to here. */
  directPosition: number;
}

export async function findRetentionProgress(table: Table): Promise<RetentionProgress> {
  const item = await table.find(keys.retention());
  return {
    nextAtSeconds: Number(item?.nextAtSeconds ?? 0),
    directPosition: Number(item?.directPosition ?? 0),
  };
}

export const moveRetentionProgress = (table: Table, set: Partial<RetentionProgress>): Promise<void> =>
  table.write({ kind: 'update', key: keys.retention(), set });
