import { BadRequest } from '#shared/domain/errors.ts';
import type { CustomEmoji } from './custom-emoji.ts';
import { type Emoji, emojiTypes } from './emoji-type.ts';
import { findEmojiCode, isEmojiCode } from './unicode-emoji.ts';

/** The only emoji that is neither a Unicode character nor custom. */
const EXTRA = 'zulip';
const WELL_FORMED_CODE = /^[0-9a-z-]{1,100}$/;
const WELL_FORMED_NAME = /^[0-9a-z+_-]{1,100}$/;

/** The emoji of a name: the organization's active one, otherwise a built-in one. */
function findEmoji(name: string, custom: CustomEmoji | undefined): Emoji | undefined {
  if (custom) return { name, code: String(custom.emojiId), type: 'realm_emoji' };
  if (name === EXTRA) return { name, code: EXTRA, type: 'zulip_extra_emoji' };
  const code = findEmojiCode(name);
  return code === undefined ? undefined : { name, code, type: 'unicode_emoji' };
}

/** Whether a built-in emoji has this name: a Unicode emoji, or the one of the protocol. */
export const isBuiltInEmoji = (name: string): boolean => findEmoji(name, undefined) !== undefined;

/** Whether a reaction can have this code and type; longer ones would not fit into a key. */
export const isPossible = (emoji: { name: string; code: string; type: string }): emoji is Emoji =>
  emojiTypes.some((type) => type === emoji.type) && WELL_FORMED_CODE.test(emoji.code);

/** @throws BadRequest when no emoji has the name */
export function getEmoji(name: string, custom: CustomEmoji | undefined): Emoji {
  const emoji = findEmoji(name, custom);
  if (!emoji) throw new BadRequest(`Emoji '${name}' does not exist`);
  return emoji;
}

/** The emoji, checked that name and code match. @throws BadRequest otherwise */
export function checkEmoji(name: string, code: string, type: string, custom: CustomEmoji | undefined): Emoji {
  switch (type) {
    case 'realm_emoji':
      checkCustom(name, custom);
      break;
    case 'zulip_extra_emoji':
      if (code !== EXTRA) throw new BadRequest('Invalid emoji code.');
      if (name !== EXTRA) throw new BadRequest('Invalid emoji name.');
      break;
    case 'unicode_emoji':
      if (!isEmojiCode(code)) throw new BadRequest('Invalid emoji code.');
      if (!isNameOf(name, code)) throw new BadRequest('Invalid emoji name.');
      break;
    default:
      throw new BadRequest('Invalid emoji type.');
  }
  return { name, code, type };
}

function checkCustom(name: string, custom: CustomEmoji | undefined): void {
  if (!custom) throw new BadRequest('Invalid custom emoji.');
  if (custom.name !== name) throw new BadRequest('Invalid custom emoji name.');
  if (custom.isDeactivated) throw new BadRequest('This custom emoji has been deactivated.');
}

/**
 * Clients have their own lists with additional names, so only the name of another emoji is certainly wrong.
 */
function isNameOf(name: string, code: string): boolean {
  const known = findEmojiCode(name);
  return known === undefined ? WELL_FORMED_NAME.test(name) : known === code;
}
