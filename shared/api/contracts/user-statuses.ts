import * as z from 'zod/mini';
import { maxLength, optional, text } from '#shared/api/parameters.ts';
import type { Emoji } from '#shared/domain/emoji/emoji-type.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { UserStatus } from '#shared/domain/user-statuses/status.ts';
import { completeEmoji, requireEmoji } from '#shared/store/emoji/emoji.ts';
import type { Table } from '#shared/table/table.ts';

const MAX_STATUS_LENGTH = 60;

/** The parameters of a user status. */
export const statusParameters = {
  status_text: optional(
    text(z.string().check(z.trim(), maxLength(MAX_STATUS_LENGTH)), 'A short text; empty to remove it'),
  ),
  emoji_name: optional(text(z.string(), 'The name of an emoji beside the text; empty to remove it')),
  emoji_code: optional(text(z.string(), 'Its code points in hexadecimal digits, joined by `-`; or its id')),
  reaction_type: optional(text(z.string(), '`unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`')),
};

interface GivenStatus {
  status_text?: string | undefined;
  emoji_name?: string | undefined;
  emoji_code?: string | undefined;
  reaction_type?: string | undefined;
}

/**
 * The requested parts of a status.
 * @throws BadRequest when there are none and nothing else is asked for, and for an unknown emoji
 */
export async function readStatusWishes(
  table: Table,
  input: GivenStatus,
  asksForMore: boolean,
): Promise<Partial<UserStatus>> {
  const { status_text: text, emoji_name: name } = input;
  if (text === undefined && name === undefined && !asksForMore)
    throw new BadRequest('Client did not pass any new values.');
  const emoji = await readEmoji(table, input);
  return { ...(text !== undefined && { text }), ...(emoji !== undefined && { emoji }) };
}

/**
 * Undefined when the client names no emoji, null when it removes the emoji.
 * @throws BadRequest for an unknown emoji
 */
async function readEmoji(
  table: Table,
  { emoji_name: name, emoji_code: code, reaction_type: type }: GivenStatus,
): Promise<Emoji | null | undefined> {
  if (name === '') return null;
  if (name !== undefined) return requireEmoji(table, await completeEmoji(table, { name, code, type }));
  if (!code && !type) return undefined;
  throw new BadRequest('Client must pass emoji_name if they pass either emoji_code or reaction_type.');
}
