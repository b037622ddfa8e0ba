import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Table } from '#shared/table/table.ts';

/** The progress of deleting old messages. */
export interface RetentionProgress {
  /** Nothing is due before this time. */
  nextAtSeconds: number;
  /** All expired direct messages up to here are deleted. */
  directPosition: number;
}

export async function findRetentionProgress(table: Table): Promise<RetentionProgress> {
  const item = await table.find(organizationKeys.retention());
  return {
    nextAtSeconds: Number(item?.nextAtSeconds ?? 0),
    directPosition: Number(item?.directPosition ?? 0),
  };
}

export const moveRetentionProgress = (table: Table, set: Partial<RetentionProgress>): Promise<void> =>
  table.write({ kind: 'update', key: organizationKeys.retention(), set });
