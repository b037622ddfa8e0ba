import { toChannelRecord } from '#shared/domain/channels/channel.ts';
import type { ChannelView } from '#shared/domain/messages/access.ts';
import type { UserSettings } from '#shared/domain/settings/user-settings.ts';
import { toSubscriptionRecord } from '#shared/domain/subscriptions/record.ts';
import { isRecentlyActive } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listUsers } from '#shared/store/users/users.ts';

export interface SubscriptionOptions {
  includeSubscribers: 'true' | 'false' | 'partial';
  /** The owner's settings, for clients that do not support inherited values. */
  inherited: UserSettings | null;
  includesArchived: boolean;
  /** The ids of a channel's subscribers. */
  subscribersOf: (channelId: number) => Promise<number[]>;
  /** Users who are always listed among the subscribers of large channels under `partial`. */
  alwaysNamed: () => Promise<Set<number>>;
}

/** Under `partial`, channels with fewer subscribers list all of them (reference, "Limits"). */
const ALWAYS_FULL_BELOW = 250;

/** Bots and recently active users, read once and on demand. */
export function loadAlwaysNamed({ table, clock }: Services): () => Promise<Set<number>> {
  let loading: Promise<Set<number>> | undefined;
  const load = async (): Promise<Set<number>> => {
    const nowSeconds = toSeconds(clock.nowMs());
    const named = (await listUsers(table)).filter((user) => user.isBot || isRecentlyActive(user, nowSeconds));
    return new Set(named.map(({ userId }) => userId));
  };
  return () => {
    loading ??= load();
    return loading;
  };
}

/** Channel records, with subscribers if requested. */
export async function describeViews(views: ChannelView[], options: SubscriptionOptions) {
  const shown = views.filter(({ channel }) => options.includesArchived || !channel.isArchived);
  return mapConcurrently(shown, async ({ channel }) => {
    const record = toChannelRecord(channel);
    if (options.includeSubscribers === 'false') return record;
    const subscribers = await options.subscribersOf(channel.channelId);
    if (options.includeSubscribers === 'true' || subscribers.length < ALWAYS_FULL_BELOW)
      return { ...record, subscribers };
    const named = await options.alwaysNamed();
    return { ...record, partial_subscribers: subscribers.filter((userId) => named.has(userId)) };
  });
}

/** Subscription records of the reference, for channels that the user is or was subscribed to. */
export async function describeSubscriptions(views: ChannelView[], options: SubscriptionOptions) {
  const personal = new Map(views.map(({ channel, subscription }) => [channel.channelId, subscription]));
  const records = await describeViews(views, options);
  return records.flatMap((record) => {
    const subscription = personal.get(record.stream_id);
    return subscription ? [toSubscriptionRecord(record, subscription, options)] : [];
  });
}
