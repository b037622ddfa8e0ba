import type { CustomEmoji } from '#shared/domain/emoji/custom-emoji.ts';
import { keys, partitions } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';

const toEmoji = ({ pk: _pk, sk: _sk, ...emoji }: Item): CustomEmoji => emoji as unknown as CustomEmoji;

/** The active custom emoji of a name. One strongly consistent read. */
export async function findCustomEmojiNamed(table: Table, name: string): Promise<CustomEmoji | undefined> {
  const item = await table.find(keys.customEmojiName(name));
  return item && toEmoji(item);
}

/** Every custom emoji that there ever was, ascending by id. One strongly consistent query. */
export async function listCustomEmoji(table: Table): Promise<CustomEmoji[]> {
  return (await table.list({ partition: partitions.customEmoji(), consistent: true })).map(toEmoji);
}
