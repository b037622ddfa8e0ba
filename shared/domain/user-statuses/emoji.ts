import type { Emoji } from '#shared/domain/emoji/emoji-type.ts';

export const emojiFields = ({ name, code, type }: Emoji) => ({
  emoji_name: name,
  emoji_code: code,
  reaction_type: type,
});
export const noEmojiFields = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' };

export const isSameEmoji = (left: Emoji | null, other: Emoji | null): boolean =>
  left?.name === other?.name && left?.code === other?.code && left?.type === other?.type;
