import * as z from 'zod/mini';
import { BadRequest } from '#shared/domain/errors.ts';
import { type GivenEmoji, readEmoji } from '#shared/domain/statuses/emoji.ts';
import type { UserStatus } from '#shared/domain/statuses/status.ts';
import { maxLength, optional, text } from './parameters.ts';

const MAX_STATUS_LENGTH = 60;

/** What may be said of oneself. */
export const statusParameters = {
  status_text: optional(
    text(z.string().check(z.trim(), maxLength(MAX_STATUS_LENGTH)), 'A short text; empty to take it back'),
  ),
  emoji_name: optional(text(z.string(), 'The name of an emoji beside the text; empty to take it back')),
  emoji_code: optional(text(z.string(), 'Its code points in hexadecimal digits, joined by `-`; or its id')),
  reaction_type: optional(text(z.string(), '`unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`')),
};

/**
 * The parts of a status that a client wants to change.
 * @throws BadRequest for none, unless something else is asked for, and for what is no emoji
 */
export function readStatusWishes(
  { status_text, ...given }: GivenEmoji & { status_text?: string | undefined },
  asksForMore: boolean,
): Partial<UserStatus> {
  if (status_text === undefined && given.emoji_name === undefined && !asksForMore)
    throw new BadRequest('Client did not pass any new values.');
  const emoji = readEmoji(given);
  return { ...(status_text !== undefined && { text: status_text }), ...(emoji !== undefined && { emoji }) };
}
