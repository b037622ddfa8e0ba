import { type CustomEmoji, MAX_EMOJI_NAME_LENGTH } from '#shared/domain/emoji/custom-emoji.ts';
import { organizationKeys, organizationPartitions } from '#shared/table/keys/organization.ts';
import { type Item, recordOf, type Table } from '#shared/table/table.ts';

const toEmoji = ({ pk: _pk, sk: _sk, ...emoji }: Item): CustomEmoji => recordOf<CustomEmoji>(emoji);

/** The active emoji with a name, or the emoji with an id, active or not. One strongly consistent read. */
export async function findCustomEmoji(
  table: Table,
  by: { name: string } | { emojiId: number },
): Promise<CustomEmoji | undefined> {
  // Longer names belong to no emoji and would not fit into a key.
  if ('name' in by && by.name.length > MAX_EMOJI_NAME_LENGTH) return undefined;
  const key =
    'name' in by ? organizationKeys.customEmojiName(by.name) : organizationKeys.customEmoji(by.emojiId);
  const item = await table.find(key);
  return item && toEmoji(item);
}

/** The active emoji with these names. One eventually consistent read each. */
export async function listCustomEmojiByName(table: Table, names: string[]): Promise<CustomEmoji[]> {
  const possible = names.filter(({ length }) => length <= MAX_EMOJI_NAME_LENGTH);
  return (await table.findMany(possible.map(organizationKeys.customEmojiName), { eventually: true })).map(
    toEmoji,
  );
}

/** All emoji, deactivated ones included, ascending by id. One strongly consistent query. */
export async function listCustomEmoji(table: Table): Promise<CustomEmoji[]> {
  return (await table.list({ partition: organizationPartitions.customEmoji(), consistent: true })).map(
    toEmoji,
  );
}
