import { checkEmoji, getEmoji } from '#shared/domain/emoji/emoji.ts';
import type { Emoji } from '#shared/domain/emoji/emoji-type.ts';
import type { Table } from '#shared/table/table.ts';
import { findCustomEmoji } from './custom-emoji.ts';

/** An emoji as named by a client. Code and type are derived from the name when absent. */
export interface NamedEmoji {
  name: string;
  code?: string | undefined;
  type?: string | undefined;
}

/**
 * Completes code and type; given ones are not checked. At most one read.
 * @throws BadRequest when they are absent and no emoji has the name
 */
export async function completeEmoji(
  table: Table,
  { name, code, type }: NamedEmoji,
): Promise<Record<keyof NamedEmoji, string>> {
  if (code !== undefined && type !== undefined) return { name, code, type };
  const found = getEmoji(name, await findCustomEmoji(table, { name }));
  return { name, code: code ?? found.code, type: type ?? found.type };
}

/** An emoji id in the form of a code. */
const EMOJI_ID = /^[1-9]\d{0,9}$/;

/**
 * Checks that the emoji is usable and that name and code match; at most one read.
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
