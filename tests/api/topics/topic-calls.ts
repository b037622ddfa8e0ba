import { expect } from 'vitest';
import type { Client, EventQueue, Params, Reply } from '#tests/harness/client.ts';

export const INHERITED = 0;
export const MUTED = 1;
export const UNMUTED = 2;
export const FOLLOWED = 3;

export const setPolicy = (client: Client, channelId: number, topic: string, policy: number): Promise<Reply> =>
  client.post('/user_topics', { stream_id: channelId, topic, visibility_policy: policy });

/** Sets preferences one after the other, each with success. */
export async function choose(
  client: Client,
  ...choices: [channelId: number, topic: string, policy: number][]
) {
  for (const choice of choices) expect((await setPolicy(client, ...choice)).body.result).toBe('success');
}

export const TOPIC_TYPES = ['user_topic', 'muted_topics', 'muted_users'];

export const fetchData = async (client: Client, types: string[], params: Params = {}) =>
  (await client.register({ fetch_event_types: types, ...params })).snapshot;

/** The policies of a client in register, without times. */
export async function preferencesOf(client: Client): Promise<[number, string, number][]> {
  const client_capabilities = { empty_topic_name: true };
  const { user_topics } = await fetchData(client, ['user_topic'], { client_capabilities });
  return user_topics.map(({ stream_id, topic_name, visibility_policy }: TopicEvent) => {
    return [stream_id, topic_name, visibility_policy];
  });
}

// biome-ignore lint/suspicious/noExplicitAny: a client sees JSON of any shape
type TopicEvent = { type: string } & Record<string, any>;

/** A queue's current events of this area, without ids. */
export async function drainTopicEvents(queue: EventQueue | undefined): Promise<TopicEvent[]> {
  const events = (await queue?.drain()) ?? [];
  return events.filter(({ type }) => TOPIC_TYPES.includes(type)).map(({ id: _id, ...event }) => event);
}
