import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import { keys, partitions, prefixes } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';

const toSubscription = (item: Item): Subscription => item as unknown as Subscription;

export async function findSubscription(
  table: Table,
  userId: number,
  channelId: number,
): Promise<Subscription | undefined> {
  const item = await table.find(keys.subscription(userId, channelId));
  return item && toSubscription(item);
}

/** The subscriptions of these user and channel pairs that exist, past ones included. */
export async function listSubscriptionPairs(
  table: Table,
  pairs: { userId: number; channelId: number }[],
): Promise<Subscription[]> {
  const items = await table.findMany(
    pairs.map(({ userId, channelId }) => keys.subscription(userId, channelId)),
  );
  return items.map(toSubscription);
}

/** Every channel that the user is or was subscribed to, ascending by channel. */
export async function listSubscriptions(table: Table, userId: number): Promise<Subscription[]> {
  const items = await table.list({
    partition: partitions.user(userId),
    prefix: prefixes.subscription,
    consistent: true,
  });
  return items.map(toSubscription);
}

/** The ids of a channel's subscribers, ascending. */
export async function listSubscriberIds(table: Table, channelId: number): Promise<number[]> {
  const items = await table.list({
    partition: partitions.channel(channelId),
    prefix: prefixes.members,
    consistent: true,
  });
  return items
    .flatMap((item) => [...((item.userIds as Set<number> | undefined) ?? [])])
    .sort((a, b) => a - b);
}
