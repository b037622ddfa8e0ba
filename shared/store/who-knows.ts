import type { WhoKnows } from '#shared/domain/channels/who-knows.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** To be read before whatever is decided by it. */
export async function readWhoKnows(table: Table): Promise<WhoKnows> {
  const { people, channels } = (await table.find(keys.counter('who-knows'))) ?? {};
  return { people: Number(people ?? 0), channels: Number(channels ?? 0) };
}
