export const emojiTypes = ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'] as const;
export type EmojiType = (typeof emojiTypes)[number];

/** What people react with. Name and code say the same; the code does not change. */
export interface Emoji {
  name: string;
  code: string;
  type: EmojiType;
}
