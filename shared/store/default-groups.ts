import type { DefaultGroups } from '#shared/domain/channels/default-groups.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** The groups of channels that clients offer together. One strongly consistent read. */
export async function getDefaultGroups(table: Table): Promise<DefaultGroups> {
  const item = (await table.find(keys.defaultGroups())) as Partial<DefaultGroups> | undefined;
  return { groups: item?.groups ?? [], lastId: item?.lastId ?? 0, revision: item?.revision ?? 0 };
}
