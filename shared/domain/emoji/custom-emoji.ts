import { pictureUrl } from '#shared/domain/pictures/picture.ts';

export const MAX_EMOJI_NAME_LENGTH = 100;

/** An emoji that a user added. Deactivated ones are kept because old messages show them. */
export interface CustomEmoji {
  emojiId: number;
  name: string;
  /** The names of its files. */
  picture: string;
  /** The first frame of an animated picture. */
  stillPicture?: string;
  isDeactivated: boolean;
  authorId: number;
}

export type CustomEmojiRecord = ReturnType<typeof toEmojiRecord>;

/** The emoji as clients know it. */
export const toEmojiRecord = (emoji: CustomEmoji) => ({
  id: String(emoji.emojiId),
  name: emoji.name,
  source_url: pictureUrl(emoji.picture),
  still_url: emoji.stillPicture === undefined ? null : pictureUrl(emoji.stillPicture),
  deactivated: emoji.isDeactivated,
  author_id: emoji.authorId,
});

/** All emoji by id, as clients know them. */
export const toEmojiRecords = (all: CustomEmoji[]): Record<string, CustomEmojiRecord> =>
  Object.fromEntries(all.map((emoji) => [String(emoji.emojiId), toEmojiRecord(emoji)]));
