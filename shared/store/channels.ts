import type { Channel } from '#shared/domain/channels/channel.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { keys, partitions, prefixes } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';

const toChannel = (item: Item): Channel => item as unknown as Channel;

/** Longer texts are no channel names, and would not fit into a key. */
const MAX_NAME_CODE_UNITS = 300;

export async function findChannel(table: Table, channelId: number): Promise<Channel | undefined> {
  const item = await table.find(keys.channel(channelId));
  return item && toChannel(item);
}

/** The channel with this name, in any letter case. Two reads. */
export async function findChannelByName(table: Table, name: string): Promise<Channel | undefined> {
  const [channel] = await listChannelsByName(table, [name]);
  return channel;
}

/** The channels with these names that exist, in any letter case and no particular order. */
export async function listChannelsByName(table: Table, names: string[]): Promise<Channel[]> {
  const canonical = new Set(names.filter(({ length }) => length <= MAX_NAME_CODE_UNITS).map(toCanonical));
  const guards = await table.findMany([...canonical].map(keys.channelName));
  return listChannelsById(
    table,
    guards.map((guard) => Number(guard.channelId)),
  );
}

export async function listChannelsById(table: Table, channelIds: number[]): Promise<Channel[]> {
  const items = await table.findMany([...new Set(channelIds)].map(keys.channel));
  return items.map(toChannel);
}

/** Every channel of the organization, ascending by id. */
export async function listChannels(table: Table): Promise<Channel[]> {
  const items = await table.list({ partition: partitions.channels(), consistent: true });
  return items.map(toChannel);
}

/** The newest message of a topic; the name is spelled as in the message that last used it. */
export interface TopicHead {
  topic: string;
  maxMessageId: number;
}

/** All topics of a channel, in no particular order. Written after the messages, so the newest may be missing. */
export async function listTopicHeads(table: Table, channelId: number): Promise<TopicHead[]> {
  const items = await table.list({ partition: partitions.channel(channelId), prefix: prefixes.topic });
  return items.map((item) => ({ topic: String(item.topic), maxMessageId: Number(item.maxMessageId) }));
}
