import { expect } from 'vitest';
import type { Client, Params, Reply } from '#tests/harness/client.ts';

/** The emoji that tests react with. */
export const tada = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' };
export const heart = { emoji_name: 'heart', emoji_code: '2764', reaction_type: 'unicode_emoji' };

export const react = (user: Client, messageId: number, emoji: Params = tada): Promise<Reply> =>
  user.post(`/messages/${messageId}/reactions`, emoji);

export const unreact = (user: Client, messageId: number, emoji: Params = tada): Promise<Reply> =>
  user.delete(`/messages/${messageId}/reactions`, emoji);

/** Adds a reaction, which has to succeed. */
export async function expectReact(user: Client, messageId: number, emoji: Params = tada): Promise<void> {
  const { status, body } = await react(user, messageId, emoji);
  expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
}

/** Removes a reaction, which has to succeed. */
export async function expectUnreact(user: Client, messageId: number, emoji: Params = tada): Promise<void> {
  const { status, body } = await unreact(user, messageId, emoji);
  expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
}

/** The reactions of a message. */
export async function reactionsOf(user: Client, messageId: number) {
  const { status, body } = await user.get(`/messages/${messageId}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.message.reactions;
}
