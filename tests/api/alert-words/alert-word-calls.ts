import { expect } from 'vitest';
import type { Client, Reply } from '#tests/harness/client.ts';

const PATH = '/users/me/alert_words';

export const add = (client: Client, words: unknown): Promise<Reply> =>
  client.post(PATH, { alert_words: words });
export const remove = (client: Client, words: unknown): Promise<Reply> =>
  client.delete(PATH, { alert_words: words });

export async function wordsOf(client: Client): Promise<string[]> {
  const { status, body } = await client.get(PATH);
  expect(status).toBe(200);
  return body.alert_words;
}

/** The flags of a message for a user, as both operations and nothing else show them. */
export async function flagsOf(client: Client, messageId: number): Promise<string[]> {
  const one = await client.get(`/messages/${messageId}`);
  const many = await client.get('/messages', { message_ids: [messageId] });
  expect(many.body.messages[0]?.flags).toEqual(one.body.message.flags);
  return one.body.message.flags;
}
