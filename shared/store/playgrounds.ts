import type { Playgrounds } from '#shared/domain/playgrounds/playgrounds.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Table } from '#shared/table/table.ts';

/** The code playgrounds of the organization. One strongly consistent read. */
export async function getPlaygrounds(table: Table): Promise<Playgrounds> {
  const item = (await table.find(organizationKeys.playgrounds())) as Partial<Playgrounds> | undefined;
  return { playgrounds: item?.playgrounds ?? [], lastId: item?.lastId ?? 0, revision: item?.revision ?? 0 };
}
