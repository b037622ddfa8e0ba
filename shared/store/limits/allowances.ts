import type { Allowance } from '#shared/domain/allowance.ts';
import type { Key } from '#shared/table/keys/key.ts';
import type { Item, Table } from '#shared/table/table.ts';

export const toAllowance = (item: Item | undefined): Allowance => ({
  kilobytes: Number(item?.kilobytes ?? 0),
  generation: Number(item?.generation ?? 0),
  changes: Number(item?.changes ?? 0),
});

/** The quota of a user for a kind of things. One read. */
export const getAllowance = async (table: Table, key: Key): Promise<Allowance> =>
  toAllowance(await table.find(key));
