import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** Everything up to this position counts as read by the user. */
export async function findReadFloor(table: Table, userId: number): Promise<number> {
  const item = await table.find(keys.readState(userId));
  return Number(item?.floor ?? 0);
}
