import { createHash } from 'node:crypto';
import { type Mentions, Rosters, rosterNamesOf } from '#shared/domain/messages/mentions.ts';
import { type Bitmap, emptyBitmap, withBits } from '#shared/domain/reading/bitmap.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

const NAME_LENGTH = 22;

/**
 * Keeps a list of users under a name that follows from who they are, so that messages to the same people share it, and
 * answers with the name. One read, and one write the first time.
 */
export async function keepRoster(table: Table, userIds: number[]): Promise<string> {
  const bitmap = withBits(emptyBitmap, userIds);
  const name = createHash('sha256').update(bitmap).digest('base64url').slice(0, NAME_LENGTH);
  const key = keys.roster(name);
  if (!(await table.find(key))) await table.write({ kind: 'put', item: { ...key, userIds: bitmap } });
  return name;
}

/** Adds the rosters that decide about the messages, each read once. Most messages name none. */
export async function loadRosters(
  table: Table,
  rosters: Rosters,
  messages: { mentions?: Mentions }[],
): Promise<Rosters> {
  const missing = rosterNamesOf(messages).filter((name) => !rosters.isLoaded(name));
  if (missing.length === 0) return rosters;
  const items = await table.findMany(missing.map(keys.roster));
  const found = new Map(items.map((item) => [String(item.pk), item.userIds as Bitmap]));
  for (const name of missing) rosters.add(name, found.get(keys.roster(name).pk) ?? emptyBitmap);
  return rosters;
}

/** The rosters that decide about the messages. */
export const openRosters = (table: Table, messages: { mentions?: Mentions }[]): Promise<Rosters> =>
  loadRosters(table, new Rosters(), messages);
