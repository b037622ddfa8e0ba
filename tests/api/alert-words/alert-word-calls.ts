import { expect } from 'vitest';
import type { Client, Reply } from '#tests/harness/client.ts';

const PATH = '/users/me/alert_words';

export const add = (client: Client, words: unknown): Promise<Reply> =>
  client.post(PATH, { alert_words: words });
export const remove = (client: Client, words: unknown): Promise<Reply> =>
  client.delete(PATH, { alert_words: words });

/** The words in the reply of a call that has to succeed. */
export async function wordsAfter(call: Promise<Reply>): Promise<string[]> {
  const { status, body } = await call;
  expect(status).toBe(200);
  return body.alert_words;
}

export const wordsOf = (client: Client): Promise<string[]> => wordsAfter(client.get(PATH));

/** The flags of a message for a user, as both operations and nothing else show them. */
export async function flagsOf(client: Client, messageId: number): Promise<string[]> {
  const { message } = (await client.get(`/messages/${messageId}`)).body;
  const list = await client.get('/messages', { message_ids: [messageId] });
  expect(list.body.messages[0]?.flags).toEqual(message.flags);
  return message.flags;
}
