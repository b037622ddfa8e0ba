import { expect } from 'vitest';
import type { Client, Reply } from '#tests/harness/client.ts';
import { makePicture, type PictureOptions, toForm } from '#tests/harness/pictures.ts';

/** The parameters of a reaction. */
export interface TestEmoji {
  [field: string]: string;
  emoji_name: string;
  emoji_code: string;
  reaction_type: 'realm_emoji';
}

let nameCount = 0;

/** A name that no emoji has yet. */
export const freshName = (): string => `own_${++nameCount}`;

export const uploadEmoji = (author: Client, name: string, rawBody: FormData): Promise<Reply> =>
  author.post(`/realm/emoji/${encodeURIComponent(name)}`, {}, { rawBody });

export const uploadEmojiPicture = async (
  author: Client,
  name: string,
  options: PictureOptions = {},
): Promise<Reply> => uploadEmoji(author, name, toForm(await makePicture(options)));

/** The record of a name's first emoji, whether this is active or not. */
export async function findEmoji(reader: Client, name: string) {
  const { body } = await reader.get('/realm/emoji');
  return Object.values<Record<string, string>>(body.emoji).find((emoji) => emoji.name === name);
}

/** An emoji of the organization's own, as reactions and statuses name it. */
export async function makeEmoji(author: Client, name = freshName()): Promise<TestEmoji> {
  const { status, body } = await uploadEmojiPicture(author, name);
  expect(status, JSON.stringify(body)).toBe(200);
  const list = await author.get('/realm/emoji');
  const all: { id: string; name: string; deactivated: boolean }[] = Object.values(list.body.emoji);
  const own = all.find((emoji) => emoji.name === name && !emoji.deactivated);
  return { emoji_name: name, emoji_code: String(own?.id), reaction_type: 'realm_emoji' };
}

export async function deactivateEmoji(author: Client, { emoji_name }: TestEmoji): Promise<void> {
  const { status, body } = await author.delete(`/realm/emoji/${emoji_name}`);
  expect(status, JSON.stringify(body)).toBe(200);
}
