import type { ChannelRecord } from '#shared/domain/channels/channel.ts';
import { toSubscriptionRecord } from '#shared/domain/subscriptions/record.ts';
import { wasSubscribedAt } from '#shared/domain/subscriptions/subscription.ts';
import type { PayloadOf, WireEvent, WireEventOf } from '../catalogue.ts';
import type { Shaping } from '../shaping.ts';

/** A channel that becomes visible returns to its former subscribers; the others get its subscribers only. */
export function shapePeerAddition(
  { appeared, ...peers }: PayloadOf<'subscription/peer_add'>,
  shaping: Shaping,
): WireEvent[] {
  const own = appeared && ownChannelEvents(appeared, peers.user_ids, shaping);
  return own ?? [peers];
}

/**
 * What follows the creation of a channel that its subscriber, present or former, sees again: an ended subscription is
 * added and removed, because clients learn about those by no other events. Undefined for users who never subscribed.
 */
export function ownChannelEvents(
  record: ChannelRecord,
  subscriberIds: number[],
  { viewer, settings, position }: Shaping,
): WireEvent[] | undefined {
  const subscription = viewer.subscriptions.get(record.stream_id);
  if (!subscription?.intervals.some(([from]) => from < position)) return undefined;
  // Subscriptions may have changed since.
  const isIn = wasSubscribedAt(subscription, position);
  const subscribers = isIn ? subscriberIds : [...subscriberIds, viewer.user.userId].sort((a, b) => a - b);
  const own = {
    ...toSubscriptionRecord(record, subscription, { inherited: settings }),
    subscriber_count: subscribers.length,
    subscribers,
  };
  const addition: WireEventOf<'subscription/add'> = { type: 'subscription', op: 'add', subscriptions: [own] };
  if (isIn) return [addition];
  const { stream_id, name } = record;
  return [addition, { type: 'subscription', op: 'remove', subscriptions: [{ stream_id, name }] }];
}
