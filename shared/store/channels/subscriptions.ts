import type { Channel } from '#shared/domain/channels/channel.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import { channelKeys, channelPartitions, channelPrefixes } from '#shared/table/keys/channels.ts';
import { leadingId } from '#shared/table/keys/key.ts';
import { userPartitions } from '#shared/table/keys/users.ts';
import { type Item, recordOf, type Table } from '#shared/table/table.ts';

const toSubscription = (item: Item): Subscription => recordOf<Subscription>(item);

export async function findSubscription(
  table: Table,
  userId: number,
  channelId: number,
): Promise<Subscription | undefined> {
  const item = await table.find(channelKeys.subscription(userId, channelId));
  return item && toSubscription(item);
}

/** The existing subscriptions for these pairs of user and channel, past ones included. */
export async function listSubscriptionPairs(
  table: Table,
  pairs: { userId: number; channelId: number }[],
): Promise<Subscription[]> {
  const items = await table.findMany(
    pairs.map(({ userId, channelId }) => channelKeys.subscription(userId, channelId)),
  );
  return items.map(toSubscription);
}

/** All present and past subscriptions of the user, ascending by channel. */
export async function listSubscriptions(table: Table, userId: number): Promise<Subscription[]> {
  const items = await table.list({
    partition: userPartitions.user(userId),
    prefix: channelPrefixes.subscription,
    consistent: true,
  });
  return items.map(toSubscription);
}

/** The ids of a channel's subscribers, ascending. */
export async function listSubscriberIds(table: Table, channelId: number): Promise<number[]> {
  const items = await table.list({
    partition: channelPartitions.subscribers(),
    prefix: channelPrefixes.subscribers(channelId),
    consistent: true,
  });
  return idsIn(items);
}

const idsIn = (items: Item[]): number[] =>
  items.flatMap((item) => [...((item.userIds as Set<number> | undefined) ?? [])]).sort((a, b) => a - b);

/** The minimum cost of reading a single channel's subscribers. */
const BYTES_PER_UNIT = 4096;
const bytesOf = ({ subscriberCount }: Channel): number => 60 + 6 * subscriberCount;

/**
 * Reads the subscribers of channels once: one by one, or all channels together when that costs less. `all`
 * are the channels of the organization.
 */
export function openSubscriberLists(
  table: Table,
  all: Channel[],
  wanted: Channel[],
): (channelId: number) => Promise<number[]> {
  const together = sum(all.map(bytesOf)) / BYTES_PER_UNIT;
  const apart = sum(wanted.map((channel) => Math.ceil(bytesOf(channel) / BYTES_PER_UNIT)));
  if (apart <= together) return (channelId) => listSubscriberIds(table, channelId);
  let reading: Promise<Map<number, number[]>> | undefined;
  return async (channelId) => {
    reading ??= listAllSubscriberIds(table);
    return (await reading).get(channelId) ?? [];
  };
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

async function listAllSubscriberIds(table: Table): Promise<Map<number, number[]>> {
  const items = await table.list({ partition: channelPartitions.subscribers(), consistent: true });
  const byChannel = Map.groupBy(items, ({ sk }) => leadingId(String(sk)));
  return new Map([...byChannel].map(([channelId, chunks]) => [channelId, idsIn(chunks)]));
}
