import type { Client, Params } from '#tests/harness/client.ts';
import type { TestChannel } from '#tests/harness/scene.ts';
import { inTopic, list, newest } from './lists/message-lists.ts';

export const edit = (client: Client, messageId: number, params: Params) =>
  client.patch(`/messages/${messageId}`, params);

/** Moves messages without a note of where they went, unless one is asked for. */
export const move = (client: Client, messageId: number, params: Params) =>
  edit(client, messageId, { send_notification_to_new_thread: false, ...params });

/** The events of a reader about a message that they may read, its source included. */
export const read = async (reader: Client, messageId: number) =>
  (await reader.get(`/messages/${messageId}`, { allow_empty_topic_name: true })).body;

/** Sends messages to a topic, and returns their ids. */
export async function fillTopic(
  sender: Client,
  channel: TestChannel,
  topic: string,
  count: number,
): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) ids.push(await sender.send(channel.name, topic, `${topic} ${n}`));
  return ids;
}

/** The ids of all messages that a narrow finds, including messages of bots. */
export const allIdsIn = async (reader: Client, narrow: unknown): Promise<number[]> =>
  (await list(reader, { ...newest, narrow })).messages.map(({ id }: { id: number }) => id);

export const allIdsOfTopic = (reader: Client, { channelId }: TestChannel, topic: string): Promise<number[]> =>
  allIdsIn(reader, inTopic(channelId, topic));

/** The topics of a channel, without the one to which bots write by themselves. */
export const topicsOf = async (reader: Client, { channelId }: TestChannel) =>
  (await reader.get(`/users/me/${channelId}/topics`, { allow_empty_topic_name: true })).body.topics.filter(
    ({ name }: { name: string }) => name !== 'channel events',
  );
