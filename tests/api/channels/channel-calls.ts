import { expect } from 'vitest';
import type { Client, EventQueue, Params, ReceivedEvent, Reply } from '#tests/harness/client.ts';

let nameCount = 0;

/** A channel name that no other test of the file uses. */
export const newName = (prefix = 'channel'): string => `${prefix} ${++nameCount}`;

export const join = (client: Client, names: string[], params: Params = {}): Promise<Reply> =>
  client.post('/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })), ...params });

export const leave = (client: Client, names: string[], params: Params = {}): Promise<Reply> =>
  client.delete('/users/me/subscriptions', { subscriptions: names, ...params });

export const membersOf = (client: Client, channelId: number): Promise<Reply> =>
  client.get(`/streams/${channelId}/members`);

/** The record of a channel that the client is subscribed to. */
export async function subscriptionOf(client: Client, name: string, params: Params = {}) {
  const { body } = await client.get('/users/me/subscriptions', params);
  return body.subscriptions.find((one: { name: string }) => one.name === name);
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
    expect({ status, ...body }, JSON.stringify(params).slice(0, 200)).toEqual({
      status: 400,
      result: 'error',
      msg,
      code: 'BAD_REQUEST',
    });
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
