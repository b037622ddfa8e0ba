import type { ChannelRecord } from '#shared/domain/channels/channel.ts';
import { toSubscriptionRecord } from '#shared/domain/subscriptions/record.ts';
import { subscribeAt } from '#shared/domain/subscriptions/subscription.ts';
import type { ChannelReach, EventPayload, PayloadOf, WireEvent, WireEventOf } from '../catalogue.ts';
import { hasCapability, type QueueFilter } from '../queue-filter.ts';
import type { Shaper, Shaping } from '../shaping.ts';
import { isWithinReach } from '../viewer.ts';
import { shapePeerAddition } from './own-channel.ts';

type SubscriptionAdd = PayloadOf<'subscription/add'>;

export const isSubscriptionAdd = (payload: EventPayload): payload is SubscriptionAdd =>
  payload.type === 'subscription' && payload.op === 'add';

/** Whether a queue gets inherited values from its owner's settings. */
export const needsOwnSettings = (filter: QueueFilter): boolean =>
  !hasCapability(filter, 'notification_settings_null');

export const shapeSubscription: Shaper<'subscription'> = (payload, shaping) => {
  if (payload.op === 'add') return shapeSubscriptionAdd(payload, shaping);
  return payload.op === 'peer_add' ? shapePeerAddition(payload, shaping) : [payload];
};

function shapeSubscriptionAdd(payload: SubscriptionAdd, shaping: Shaping): WireEvent[] {
  const { filter, viewer, subscribersOf, settings } = shaping;
  const userId = viewer.user.userId;
  const knowsArchived = hasCapability(filter, 'archived_channels');
  const style = { inherited: settings };
  const gained = payload.rows
    .filter(([id]) => id === userId)
    .flatMap(([, channelId, color]) => {
      const channel = payload.channels.find((candidate) => candidate.stream_id === channelId);
      return channel && (!channel.is_archived || knowsArchived) ? [{ channel, channelId, color }] : [];
    });
  if (gained.length === 0) return [];
  const subscriptions = gained.map(({ channel, channelId, color }) => {
    const defaultPushNotifications = channel.default_push_notifications;
    const fresh = subscribeAt(undefined, { userId, channelId, defaultPushNotifications }, color, 0);
    const personal = { ...(viewer.subscriptions.get(channelId) ?? fresh), color };
    const subscribers = subscribersOf.get(channelId);
    return { ...toSubscriptionRecord(channel, personal, style), ...(subscribers && { subscribers }) };
  });
  const revelations = gained
    .map(({ channel }) => channel)
    .filter((channel) => !payload.created?.includes(channel.stream_id))
    .filter((channel) => !isWithinReach(reachOfRecord(channel), viewer.user))
    .map((channel): WireEventOf<'stream/create'> => ({ type: 'stream', op: 'create', streams: [channel] }));
  return [...revelations, { type: 'subscription', op: 'add', subscriptions }];
}

/** Who could know of the channel before being subscribed. */
const reachOfRecord = (channel: ChannelRecord): ChannelReach => ({
  isPublic: !channel.invite_only,
  isWebPublic: channel.is_web_public,
  ...(channel.invite_only && {
    knownToMembersOf: [channel.can_add_subscribers_group, channel.can_administer_channel_group],
  }),
  knownToAllOf: [channel.can_subscribe_group],
});
