import { expect } from 'vitest';
import type { Client, Params } from '#tests/harness/client.ts';

/** Sends to a topic of a channel, or to people if there is no topic, and returns the id. */
export async function send(
  sender: Client,
  to: string | number | number[],
  topic: string | undefined,
  content = 'hello',
  params: Params = {},
): Promise<number> {
  return Array.isArray(to)
    ? sender.sendDirect(to, content, params)
    : sender.send(to, topic ?? '', content, params);
}

export const newest = { anchor: 'newest', num_before: 100, num_after: 0 };

export async function list(reader: Client, params: Params) {
  const { status, body } = await reader.get('/messages', params);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** Bots of the service write too; these are the messages that people wrote. */
export const idsOf = (body: { messages: { id: number; sender_email: string }[] }): number[] =>
  body.messages
    .filter(({ sender_email }) => !/^(notification|welcome)-bot@/.test(sender_email))
    .map(({ id }) => id);

/** The ids of the messages that a narrow finds. */
export const idsIn = async (reader: Client, narrow: unknown, params: Params = newest): Promise<number[]> =>
  idsOf(await list(reader, { ...params, narrow }));

export const inTopic = (channel: number | string, topic: string) => [
  { operator: 'channel', operand: channel },
  { operator: 'topic', operand: topic },
];

let channelNumber = 0;

/** A channel of its own for a test, with its members. */
export async function newChannel(...members: Client[]): Promise<{ name: string; channelId: number }> {
  const name = `channel ${++channelNumber}`;
  let channelId = 0;
  for (const member of members) channelId = await member.subscribe(name);
  return { name, channelId };
}

export async function privateChannel(
  owner: Client,
  settings: Params = {},
): Promise<{ name: string; channelId: number }> {
  const name = `private ${++channelNumber}`;
  return { name, channelId: await owner.subscribe(name, { invite_only: true, ...settings }) };
}
