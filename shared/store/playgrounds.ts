import type { Playgrounds } from '#shared/domain/playgrounds/playgrounds.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** The code playgrounds of the organization. One strongly consistent read. */
export async function getPlaygrounds(table: Table): Promise<Playgrounds> {
  const item = (await table.find(keys.playgrounds())) as Partial<Playgrounds> | undefined;
  return { playgrounds: item?.playgrounds ?? [], lastId: item?.lastId ?? 0, revision: item?.revision ?? 0 };
}
