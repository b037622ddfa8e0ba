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

/** A term of a narrow, as an object and as a pair. */
export const term = (operator: string, operand: unknown) => ({ operator, operand });
export const pair = (operator: string, operand: string): [string, string] => [operator, operand];

export const inTopic = (channel: number | string, topic: string) => [
  term('channel', channel),
  term('topic', topic),
];

let channelNumber = 0;

/** Sends the same message many times, and returns the ids. */
export async function sendMany(
  count: number,
  ...message: [sender: Client, channel: string | number, topic: string, content?: string]
): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) ids.push(await send(...message));
  return ids;
}

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
