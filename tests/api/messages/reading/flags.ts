import { expect } from 'vitest';
import type { Client, Params, ReceivedEvent, Reply } from '#tests/harness/client.ts';

/** Adds a flag to messages or removes it. */
export async function flag(client: Client, messages: number[], op: string, name: string): Promise<Reply> {
  const reply = await client.post('/messages/flags', { messages, op, flag: name });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply;
}

/** The flags of a message for a reader, as both ways of reading it say. */
export async function flagsFor(client: Client, messageId: number): Promise<string[]> {
  const single = await client.get(`/messages/${messageId}`);
  const listed = await client.get('/messages', { message_ids: [messageId] });
  const [message] = listed.body.messages;
  expect(message?.flags).toEqual(single.body.message.flags);
  return message.flags;
}

/** All ids of unread messages that register names, ascending. */
export async function unreadOf(client: Client, params: Params = {}): Promise<number[]> {
  const fetch_event_types = ['message', 'update_message_flags'];
  const { snapshot } = await client.register({ fetch_event_types, ...params });
  const { pms, streams, huddles } = snapshot.unread_msgs;
  return [...pms, ...streams, ...huddles]
    .flatMap(({ unread_message_ids }: { unread_message_ids: number[] }) => unread_message_ids)
    .sort((a, b) => a - b);
}

/** The event of a flag that was added, without its id. */
export const added = (name: string, messages: number[]) => ({
  type: 'update_message_flags',
  op: 'add',
  operation: 'add',
  flag: name,
  messages,
  all: false,
});

/** The flag events among others, without their ids. */
export const flagEvents = (events: ReceivedEvent[]) =>
  events.filter(({ type }) => type === 'update_message_flags').map(({ id: _id, ...event }) => event);
