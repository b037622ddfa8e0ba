import { expect } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';

/** What one reacts with. */
export interface TestEmoji {
  [field: string]: string;
  emoji_name: string;
  emoji_code: string;
  reaction_type: 'realm_emoji';
}

let made = 0;

/** An emoji of the organization's own, as reactions and statuses name it. */
export async function makeEmoji(author: Client, name = `own_${++made}`): Promise<TestEmoji> {
  const form = toForm(await makePicture());
  const { status, body } = await author.post(`/realm/emoji/${name}`, {}, { rawBody: form });
  expect(status, JSON.stringify(body)).toBe(200);
  const list = await author.get('/realm/emoji');
  const all: { id: string; name: string; deactivated: boolean }[] = Object.values(list.body.emoji);
  const own = all.find((one) => one.name === name && !one.deactivated);
  return { emoji_name: name, emoji_code: String(own?.id), reaction_type: 'realm_emoji' };
}

export async function deactivateEmoji(author: Client, { emoji_name }: TestEmoji): Promise<void> {
  const { status, body } = await author.delete(`/realm/emoji/${emoji_name}`);
  expect(status, JSON.stringify(body)).toBe(200);
}
