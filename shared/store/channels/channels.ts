import type { Channel } from '#shared/domain/channels/channel.ts';
import { groupSettingsOf, mayKnow } from '#shared/domain/channels/permissions.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { ChannelView } from '#shared/domain/messages/access.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { User } from '#shared/domain/users/user.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import { channelKeys, channelPartitions, channelPrefixes } from '#shared/table/keys/channels.ts';
import { type Item, recordOf, type Table, unlessChanged } from '#shared/table/table.ts';
import { findSubscription, listSubscriptionPairs, listSubscriptions } from './subscriptions.ts';

const toChannel = (item: Item): Channel => recordOf<Channel>(item);

/** Longer texts are not channel names and would not fit into a key. */
const MAX_NAME_CODE_UNITS = 300;

export async function findChannel(table: Table, channelId: number): Promise<Channel | undefined> {
  const item = await table.find(channelKeys.channel(channelId));
  return item && toChannel(item);
}

/**
 * The channel with this name in any letter case. One and a half strongly consistent reads; the name is looked
 * up again if it may just have changed.
 */
export async function findChannelByName(table: Table, name: string): Promise<Channel | undefined> {
  if (name.length > MAX_NAME_CODE_UNITS) return undefined;
  const canonical = toCanonical(name);
  const guard = await table.find(channelKeys.name(canonical), { eventually: true });
  const named = guard && (await findChannel(table, Number(guard.channelId)));
  if (named && toCanonical(named.name) === canonical) return named;
  const [channel] = await listChannelsByName(table, [name]);
  return channel;
}

/** The existing channels with these names in any letter case, ascending by id. */
export async function listChannelsByName(table: Table, names: string[]): Promise<Channel[]> {
  return listChannelsById(table, await listChannelIds(table, names));
}

/** The id of the channel with this name in any letter case. One read. */
export async function findChannelId(table: Table, name: string): Promise<number | undefined> {
  const [channelId] = await listChannelIds(table, [name]);
  return channelId;
}

async function listChannelIds(table: Table, names: string[]): Promise<number[]> {
  const canonical = new Set(names.filter(({ length }) => length <= MAX_NAME_CODE_UNITS).map(toCanonical));
  const guards = await table.findMany([...canonical].map(channelKeys.name));
  return guards.map((guard) => Number(guard.channelId));
}

/** The existing channels of these, ascending by id: the table answers in any order. */
export async function listChannelsById(table: Table, channelIds: number[]): Promise<Channel[]> {
  const items = await table.findMany([...new Set(channelIds)].map(channelKeys.channel));
  return items.map(toChannel).sort((a, b) => a.channelId - b.channelId);
}

/** All channels of the organization, ascending by id. */
export async function listChannels(table: Table): Promise<Channel[]> {
  const items = await table.list({ partition: channelPartitions.channels(), consistent: true });
  return items.map(toChannel);
}

/** The newest message of a topic; the name is spelled as in that message. */
export interface TopicSummary {
  topic: string;
  maxMessageId: number;
  /** The newest position at which messages arrived from another channel; absent without moves. */
  arrivedAt?: number;
}

const toTopicSummary = ({ topic, maxMessageId, arrivedAt }: Item): TopicSummary => ({
  topic: String(topic),
  maxMessageId: Number(maxMessageId),
  ...(arrivedAt !== undefined && { arrivedAt: Number(arrivedAt) }),
});

/** The summary of a topic with messages. A summary without any only refuses late summaries of messages that left. */
export async function findTopicSummary(
  table: Table,
  channelId: number,
  topic: string,
  options?: { eventually?: boolean },
): Promise<TopicSummary | undefined> {
  const item = await table.find(channelKeys.topic(channelId, toCanonical(topic)), options);
  return item && hasMessages(item) ? toTopicSummary(item) : undefined;
}

/** Whether a topic summary names a message. */
export const hasMessages = ({ maxMessageId }: Item): boolean => Number(maxMessageId) > 0;

/** All topics of a channel, unordered. They are written after the messages, so the newest may be missing. */
export async function listTopicSummaries(table: Table, channelId: number): Promise<TopicSummary[]> {
  const items = await table.list({
    partition: channelPartitions.channel(channelId),
    prefix: channelPrefixes.topic,
  });
  return items.filter(hasMessages).map(toTopicSummary);
}

/** Forgets topics that lost their messages before a time, when late summaries of these are no longer expected. */
export async function forgetEmptyTopics(table: Table, channelId: number, beforeMs: number): Promise<void> {
  const partition = channelPartitions.channel(channelId);
  const items = await table.list({ partition, prefix: channelPrefixes.topic });
  const forgotten = items.filter((item) => !hasMessages(item) && Number(item.emptiedAtMs) < beforeMs);
  await mapConcurrently(forgotten, ({ pk, sk, leftMessageId }) =>
    unlessChanged(() =>
      table.write({
        kind: 'delete',
        key: { pk: String(pk), sk: String(sk) },
        condition: { equals: { maxMessageId: 0, leftMessageId } },
      }),
    ),
  );
}

/**
 * Like `listChannelViews`, with the group memberships that decide whether the user may know of each channel.
 */
export async function listKnowableViews(table: Table, user: User): Promise<ChannelView[]> {
  const views = await listChannelViews(table, user.userId);
  await learnMemberships(
    table,
    user,
    views.flatMap(({ channel }) => groupSettingsOf(channel)),
  );
  return views;
}

/**
 * Some channels with the user's relation to each and the group memberships that decide about their
 * visibility; ascending by id.
 */
export async function listViewsById(table: Table, user: User, channelIds: number[]): Promise<ChannelView[]> {
  const pairs = channelIds.map((channelId) => ({ userId: user.userId, channelId }));
  const [channels, subscriptions] = await Promise.all([
    listChannelsById(table, channelIds),
    listSubscriptionPairs(table, pairs),
  ]);
  await learnMemberships(table, user, channels.flatMap(groupSettingsOf));
  const byChannel = new Map(subscriptions.map((subscription) => [subscription.channelId, subscription]));
  return channels.map((channel) => ({ channel, subscription: byChannel.get(channel.channelId) }));
}

/** All channels with the user's relation to each, ascending by id. */
export async function listChannelViews(table: Table, userId: number): Promise<ChannelView[]> {
  const [channels, subscriptions] = await Promise.all([
    listChannels(table),
    listSubscriptions(table, userId),
  ]);
  const byChannel = new Map(subscriptions.map((subscription) => [subscription.channelId, subscription]));
  return channels.map((channel) => ({ channel, subscription: byChannel.get(channel.channelId) }));
}

/**
 * A channel by id with the user's relation to it.
 * @throws BadRequest also for a channel that is hidden from the user
 */
export async function getChannelView(table: Table, user: User, channelId: number): Promise<ChannelView> {
  const [channel, subscription] = await Promise.all([
    findChannel(table, channelId),
    findSubscription(table, user.userId, channelId),
  ]);
  if (channel) await learnMemberships(table, user, groupSettingsOf(channel));
  if (!channel || !mayKnow(user, { channel, subscription })) throw new BadRequest('Invalid channel ID');
  return { channel, subscription };
}
