export const emojiTypes = ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'] as const;
export type EmojiType = (typeof emojiTypes)[number];

/** The emoji of a reaction. Name and code identify the same emoji; the code never changes. */
export interface Emoji {
  name: string;
  code: string;
  type: EmojiType;
}
