import { BadRequest } from '#shared/domain/errors.ts';

/** An emoji by name and code, of one of the kinds of the protocol. */
export interface Emoji {
  name: string;
  code: string;
  type: EmojiType;
}
const emojiTypes = ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'] as const;
type EmojiType = (typeof emojiTypes)[number];

export const emojiFields = ({ name, code, type }: Emoji) => ({
  emoji_name: name,
  emoji_code: code,
  reaction_type: type,
});
export const noEmojiFields = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' };

export const isSameEmoji = (one: Emoji | null, other: Emoji | null): boolean =>
  one?.name === other?.name && one?.code === other?.code && one?.type === other?.type;

export interface GivenEmoji {
  emoji_name?: string | undefined;
  emoji_code?: string | undefined;
  reaction_type?: string | undefined;
}

/** The one emoji that is neither of Unicode nor somebody's picture. */
const EXTRA_EMOJI = 'zulip';
const NAME = /^[0-9a-z_+-]{1,100}$/;
/** Code points in hexadecimal digits. */
const CODE = /^[0-9a-f]{4,5}(-[0-9a-f]{4,5}){0,15}$/;
const EMOJI = /^\p{RGI_Emoji}$/v;
const EMOJI_PRESENTATION = '\ufe0f';

/**
 * The emoji that a client means: undefined where it names none, null where it takes one away.
 * @throws BadRequest for what is no emoji
 */
export function readEmoji({
  emoji_name: name,
  emoji_code,
  reaction_type,
}: GivenEmoji): Emoji | null | undefined {
  if (name === '') return null;
  if (name === undefined) {
    if (!emoji_code && !reaction_type) return undefined;
    throw new BadRequest('Client must pass emoji_name if they pass either emoji_code or reaction_type.');
  }
  const implied = name === EXTRA_EMOJI ? 'zulip_extra_emoji' : 'unicode_emoji';
  const type = emojiTypes.find((one) => one === (reaction_type ?? implied));
  if (!type) throw new BadRequest('Invalid emoji type.');
  const code = emoji_code ?? (type === 'zulip_extra_emoji' ? EXTRA_EMOJI : undefined);
  if (code === undefined) throw new BadRequest(`Emoji '${name}' does not exist`);
  const emoji = { name, code, type };
  requireEmoji(emoji);
  return emoji;
}

function requireEmoji({ name, code, type }: Emoji): void {
  switch (type) {
    case 'unicode_emoji':
      if (!isUnicodeEmoji(code)) throw new BadRequest('Invalid emoji code.');
      if (!NAME.test(name)) throw new BadRequest('Invalid emoji name.');
      return;
    case 'zulip_extra_emoji':
      if (name !== EXTRA_EMOJI) throw new BadRequest('Invalid emoji name.');
      if (code !== EXTRA_EMOJI) throw new BadRequest('Invalid emoji code.');
      return;
    case 'realm_emoji':
      throw new BadRequest('Invalid custom emoji.');
  }
}

/** Codes leave out what merely asks for a coloured picture. */
function isUnicodeEmoji(code: string): boolean {
  if (!CODE.test(code)) return false;
  const characters = code.split('-').map((digits) => String.fromCodePoint(Number.parseInt(digits, 16)));
  if (toCode(characters) !== code || !characters.every((one) => one.isWellFormed())) return false;
  const [first = '', ...rest] = characters;
  const spellings = [
    [first, ...rest],
    [first, EMOJI_PRESENTATION, ...rest],
    [first, ...rest, EMOJI_PRESENTATION],
  ];
  return spellings.some((spelling) => EMOJI.test(spelling.join('')));
}

const toCode = (characters: string[]): string =>
  characters.map((one) => (one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')).join('-');
