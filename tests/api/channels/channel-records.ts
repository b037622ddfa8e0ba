import type { Client, EventQueue, Params, ReceivedEvent, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';

/** The record of a channel, or undefined if the client may not know it. */
export const recordOf = async (client: Client, channelId: number) =>
  (await client.get(`/streams/${channelId}`)).body.stream;

export const expectUnknownChannel = async (client: Client, channelId: number): Promise<void> =>
  expectRefusal(await client.get(`/streams/${channelId}`), 'Invalid channel ID');

export const idOf = async (client: Client, name: string): Promise<number> =>
  (await client.get('/get_stream_id', { stream: name })).body.stream_id;

/** The ids of a channel's messages, oldest first, that a user can read. */
export async function messagesIn(client: Client, channelId: number): Promise<number[]> {
  const narrow = [{ operator: 'channel', operand: channelId }];
  const { body } = await client.get('/messages', { anchor: 'oldest', num_before: 0, num_after: 100, narrow });
  return (body.messages ?? []).map(({ id }: { id: number }) => id);
}

export const subscriptionsOf = async (client: Client) =>
  (await client.get('/users/me/subscriptions')).body.subscriptions;

export const membersOf = (client: Client, channelId: number): Promise<Reply> =>
  client.get(`/streams/${channelId}/members`);

/** The record with a name in one of the lists of channels. */
export const findByName = (records: Reply['body'], name: string): Reply['body'] =>
  records.find((record: { name: string }) => record.name === name);

/** The record of a channel that the client is subscribed to. */
export async function subscriptionOf(client: Client, name: string, params: Params = {}) {
  const { body } = await client.get('/users/me/subscriptions', params);
  return findByName(body.subscriptions, name);
}

export const kindsOf = (events: ReceivedEvent[]): string[] =>
  events.map(({ type, op }) => (op ? `${type}/${op}` : type));

/** The types of the queue's current events, except for messages and their consequences. */
export async function drainKinds(queue: EventQueue): Promise<string[]> {
  const events = await queue.drain();
  return kindsOf(
    events.filter(({ type, property }) => type !== 'message' && property !== 'first_message_id'),
  );
}
