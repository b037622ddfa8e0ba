import { expect } from 'vitest';
import type { Client, EventQueue, Params, ReceivedEvent, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import type { TestChannel } from '#tests/harness/scene.ts';
import type { TestService } from '#tests/harness/service.ts';

let nameCount = 0;

/** A channel name that no other test of the file uses. */
export const newName = (prefix = 'channel'): string => `${prefix} ${++nameCount}`;

export const join = (client: Client, names: string[], params: Params = {}): Promise<Reply> =>
  client.post('/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })), ...params });

export const leave = (client: Client, names: string[], params: Params = {}): Promise<Reply> =>
  client.delete('/users/me/subscriptions', { subscriptions: names, ...params });

/** A channel of its creator's to which others came later, so that they have nothing unread in it. */
export async function openChannel(
  service: TestService,
  [creator, ...others]: [Client, ...Client[]],
  params: Params = {},
): Promise<TestChannel> {
  const name = newName();
  const channelId = await creator.subscribe(name, params);
  await service.settle();
  const principals = others.map(({ userId }) => userId);
  if (principals.length > 0)
    await join(creator, [name], { principals, send_new_subscription_messages: false });
  return { name, channelId };
}

export const edit = (client: Client, channelId: number, params: Params): Promise<Reply> =>
  client.patch(`/streams/${channelId}`, params);

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

export const MEMBERS_ONLY = ['Must be an organization member', { code: 'UNAUTHORIZED_PRINCIPAL' }] as const;
export const OWNERS_ONLY = ['Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' }] as const;

export const membersOf = (client: Client, channelId: number): Promise<Reply> =>
  client.get(`/streams/${channelId}/members`);

/** The record with a name in one of the lists of channels. */
// biome-ignore lint/suspicious/noExplicitAny: a client sees JSON of any shape
export const findByName = (records: any[], name: string): any =>
  records.find((record) => record.name === name);

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

/** Sends one parameter after the other in a form that is wrong, and expects its text. */
export async function expectEachRefused(
  call: (params: Params) => Promise<Reply>,
  cases: [params: Params, msg: string][],
): Promise<void> {
  for (const [params, msg] of cases) {
    const { status, body } = await call(params);
    const refusal = { status: 400, result: 'error', msg, code: 'BAD_REQUEST' };
    expect({ status, ...body }, JSON.stringify(params).slice(0, 200)).toEqual(refusal);
  }
}

/**
 * Properties of a subscription that events name as such, each with a value that differs from that of a new
 * subscription.
 */
export const PLAIN_PROPERTIES: [property: string, value: unknown][] = [
  ['color', '#123abc'],
  ['pin_to_top', true],
  ['desktop_notifications', true],
  ['audible_notifications', false],
  ['push_notifications', true],
  ['email_notifications', false],
  ['wildcard_mentions_notify', false],
];
