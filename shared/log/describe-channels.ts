import { toChannelRecord } from '#shared/domain/channels/channel.ts';
import type { ChannelView } from '#shared/domain/messages/access.ts';
import type { UserSettings } from '#shared/domain/settings/user-settings.ts';
import { toSubscriptionRecord } from '#shared/domain/subscriptions/record.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listSubscriberIds } from '#shared/store/subscriptions.ts';

export interface SubscriptionOptions {
  includeSubscribers: 'true' | 'false' | 'partial';
  /** The owner's settings, for clients to which an inherited one is told as the value that it has. */
  inherited: UserSettings | null;
  includesArchived: boolean;
}

/** Under `partial`, channels with fewer subscribers come with all of them (reference, "Limits"). */
const ALWAYS_FULL_BELOW = 250;

/** Channel records, with subscribers where they are asked for. */
export async function describeViews(services: Services, views: ChannelView[], options: SubscriptionOptions) {
  const nowSeconds = toSeconds(services.clock.nowMs());
  const shown = views.filter(({ channel }) => options.includesArchived || !channel.isArchived);
  return mapConcurrently(shown, async ({ channel }) => {
    const record = toChannelRecord(channel, nowSeconds);
    if (options.includeSubscribers === 'false') return record;
    const subscribers = await listSubscriberIds(services.table, channel.channelId);
    const isPartial = options.includeSubscribers === 'partial' && subscribers.length >= ALWAYS_FULL_BELOW;
    return { ...record, ...(isPartial ? { partial_subscribers: subscribers } : { subscribers }) };
  });
}

/** Subscription records of the reference, for channels that the user is or was subscribed to. */
export async function describeSubscriptions(
  services: Services,
  views: ChannelView[],
  options: SubscriptionOptions,
) {
  const personal = new Map(views.map(({ channel, subscription }) => [channel.channelId, subscription]));
  const records = await describeViews(services, views, options);
  return records.flatMap((record) => {
    const subscription = personal.get(record.stream_id);
    return subscription ? [toSubscriptionRecord(record, subscription, options)] : [];
  });
}
