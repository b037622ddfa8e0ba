import { checkEmoji, getEmoji } from '#shared/domain/emoji/emoji.ts';
import type { Emoji } from '#shared/domain/emoji/emoji-type.ts';
import type { Table } from '#shared/table/table.ts';
import { findCustomEmoji } from './custom-emoji.ts';

/** What a client says of an emoji. Code and type follow from the name where it does not say them. */
export interface NamedEmoji {
  name: string;
  code?: string | undefined;
  type?: string | undefined;
}

/**
 * The emoji with code and type, unchecked where the client said them; at most one read.
 * @throws BadRequest where they are missing and no emoji has the name
 */
export async function completeEmoji(
  table: Table,
  { name, code, type }: NamedEmoji,
): Promise<Record<keyof NamedEmoji, string>> {
  if (code !== undefined && type !== undefined) return { name, code, type };
  const found = getEmoji(name, await findCustomEmoji(table, { name }));
  return { name, code: code ?? found.code, type: type ?? found.type };
}

/** An id as it is written in codes. */
const EMOJI_ID = /^[1-9]\d{0,9}$/;

/**
 * The emoji, where it is there to be used and its name and code belong together; at most one read.
 * @throws BadRequest otherwise
 */
export async function requireEmoji(
  table: Table,
  { name, code, type }: Record<keyof NamedEmoji, string>,
): Promise<Emoji> {
  const isCustom = type === 'realm_emoji' && EMOJI_ID.test(code);
  const custom = isCustom ? await findCustomEmoji(table, { emojiId: Number(code) }) : undefined;
  return checkEmoji(name, code, type, custom);
}
