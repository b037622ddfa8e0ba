import { createHash } from 'node:crypto';
import { type Mentions, RecipientSets, recipientSetNamesOf } from '#shared/domain/messages/mentions.ts';
import { type Bitmap, emptyBitmap, withBits } from '#shared/domain/reading/bitmap.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import type { Table } from '#shared/table/table.ts';

const NAME_LENGTH = 22;

/**
 * Stores a list of users under a name derived from its content, so that messages to the same people share it,
 * and returns the name. One read, plus one write the first time.
 */
export async function keepRecipientSet(table: Table, userIds: number[]): Promise<string> {
  const bitmap = withBits(emptyBitmap, userIds);
  const name = createHash('sha256').update(bitmap).digest('base64url').slice(0, NAME_LENGTH);
  const key = logKeys.recipientSet(name);
  if (!(await table.find(key))) await table.write({ kind: 'put', item: { ...key, userIds: bitmap } });
  return name;
}

/** Loads the recipient sets that decide about the messages, each once. Most messages have none. */
export async function loadRecipientSets(
  table: Table,
  recipientSets: RecipientSets,
  messages: { mentions?: Mentions }[],
): Promise<RecipientSets> {
  const missing = recipientSetNamesOf(messages).filter((name) => !recipientSets.isLoaded(name));
  if (missing.length === 0) return recipientSets;
  const items = await table.findMany(missing.map(logKeys.recipientSet));
  const found = new Map(items.map((item) => [String(item.pk), item.userIds as Bitmap]));
  for (const name of missing)
    recipientSets.add(name, found.get(logKeys.recipientSet(name).pk) ?? emptyBitmap);
  return recipientSets;
}

/** The recipient sets that decide about the messages. */
export const openRecipientSets = (
  table: Table,
  messages: { mentions?: Mentions }[],
): Promise<RecipientSets> => loadRecipientSets(table, new RecipientSets(), messages);
