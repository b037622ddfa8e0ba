import type { DefaultGroups } from '#shared/domain/channels/default-groups.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Table } from '#shared/table/table.ts';

/** All default channel groups. One strongly consistent read. */
export async function getDefaultGroups(table: Table): Promise<DefaultGroups> {
  const item = (await table.find(organizationKeys.defaultGroups())) as Partial<DefaultGroups> | undefined;
  return { groups: item?.groups ?? [], lastId: item?.lastId ?? 0, revision: item?.revision ?? 0 };
}
