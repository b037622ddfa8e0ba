import type { ChannelView } from '#shared/domain/messages/access.ts';
import type { Table } from '#shared/table/table.ts';
import { listChannelsById } from './channels.ts';
import { listSubscriptionPairs } from './subscriptions.ts';

/** Channels with one user's relation to each, by channel id. */
export type ChannelViews = Map<number, ChannelView>;

/** Adds channels that are not loaded yet, with two reads for each. */
export async function loadChannelViews(
  table: Table,
  userId: number,
  views: ChannelViews,
  channelIds: number[],
): Promise<void> {
  const missing = [...new Set(channelIds)].filter((channelId) => !views.has(channelId));
  const [channels, subscriptions] = await Promise.all([
    listChannelsById(table, missing),
    listSubscriptionPairs(
      table,
      missing.map((channelId) => ({ userId, channelId })),
    ),
  ]);
  const byChannel = new Map(subscriptions.map((subscription) => [subscription.channelId, subscription]));
  for (const channel of channels)
    views.set(channel.channelId, { channel, subscription: byChannel.get(channel.channelId) });
}
