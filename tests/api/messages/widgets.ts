import { expect } from 'vitest';
import type { Client, Params, Reply } from '#tests/harness/client.ts';

/** The data of a vote, as clients write it. */
export const vote = (key: string, up = 1): string => JSON.stringify({ type: 'vote', key, vote: up });

export const addTo = (user: Client, messageId: number, content: unknown, more: Params = {}): Promise<Reply> =>
  user.post('/submessage', {
    message_id: messageId,
    msg_type: 'widget',
    content: typeof content === 'string' ? content : JSON.stringify(content),
    ...more,
  });

/** Adds something to a message, which has to succeed. */
export async function expectAdded(user: Client, messageId: number, content: unknown): Promise<void> {
  const { status, body } = await addTo(user, messageId, content);
  expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
}

/** The submessages of a message. */
export async function submessagesOf(user: Client, messageId: number) {
  const { status, body } = await user.get(`/messages/${messageId}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.message.submessages;
}

/** The widget that a message was sent as. */
export async function widgetOf(user: Client, messageId: number) {
  const [own, ...others] = await submessagesOf(user, messageId);
  expect(others).toEqual([]);
  if (own === undefined) return undefined;
  const { content, ...rest } = own;
  expect(rest).toMatchObject({ id: messageId, message_id: messageId, msg_type: 'widget' });
  return JSON.parse(content);
}
