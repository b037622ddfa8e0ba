import type { CustomEmoji } from '#shared/domain/reactions/emoji.ts';
import type { Table } from '#shared/table/table.ts';

/** The organization's own emoji of a name or code, deactivated ones by code only. An organization has none yet. */
export async function findCustomEmoji(
  _table: Table,
  _by: { name: string } | { code: string },
): Promise<CustomEmoji | undefined> {
  return undefined;
}
