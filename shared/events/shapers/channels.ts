import type { ChannelRecord } from '#shared/domain/channels/channel.ts';
import { toSubscriptionRecord } from '#shared/domain/subscriptions/record.ts';
import { wasSubscribedAt } from '#shared/domain/subscriptions/subscription.ts';
import type { EventPayload, PayloadOf, WireEvent, WireEventOf } from '../catalogue.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaper, Shaping } from '../shaping.ts';
import { shapeConcealment, shapeRevelation } from './revealed-channels.ts';

type ChannelUpdate = PayloadOf<'stream/update'>;

/** Whether the event archives or unarchives a channel. */
export const isArchivalUpdate = (payload: EventPayload): payload is ChannelUpdate =>
  payload.type === 'stream' && payload.op === 'update' && payload.property === 'is_archived';

export const shapeChannel: Shaper<'stream'> = (payload, shaping) => {
  if (payload.op === 'create')
    return 'revealed' in payload ? shapeRevelation(payload.revealed, shaping) : [payload];
  if (payload.op === 'delete')
    return 'concealed' in payload ? shapeConcealment(payload.concealed, shaping) : [payload];
  if (!isArchivalUpdate(payload)) return [payload];
  if (hasCapability(shaping.filter, 'archived_channels')) {
    const { record: _record, subscriberIds: _subscriberIds, ...update } = payload;
    return [update];
  }
  const { stream_id, value, record } = payload;
  if (value) return [{ type: 'stream', op: 'delete', streams: [{ stream_id }], stream_ids: [stream_id] }];
  return record ? returnEvents(payload, record, shaping) : [];
};

/** To clients without support the channel is new, and its subscribers are added one by one. */
function returnEvents(payload: ChannelUpdate, record: ChannelRecord, shaping: Shaping): WireEvent[] {
  const { viewer, settings, position } = shaping;
  const { stream_id: channelId, subscriberIds = [] } = payload;
  const creation: WireEventOf<'stream/create'> = {
    type: 'stream',
    op: 'create',
    streams: [{ ...record, subscriber_count: 0 }],
  };
  const subscription = viewer.subscriptions.get(channelId);
  if (!subscription?.intervals.some(([from]) => from < position))
    return [
      creation,
      { type: 'subscription', op: 'peer_add', stream_ids: [channelId], user_ids: subscriberIds },
    ];
  // Subscriptions may have changed since.
  const isIn = wasSubscribedAt(subscription, position);
  const subscribers = isIn ? subscriberIds : [...subscriberIds, viewer.user.userId].sort((a, b) => a - b);
  const own = {
    ...toSubscriptionRecord(record, subscription, { inherited: settings }),
    subscriber_count: subscribers.length,
    subscribers,
  };
  const addition: WireEventOf<'subscription/add'> = { type: 'subscription', op: 'add', subscriptions: [own] };
  if (isIn) return [creation, addition];
  // Clients learn about ended subscriptions only through subscribe and unsubscribe events.
  const { stream_id, name } = record;
  return [creation, addition, { type: 'subscription', op: 'remove', subscriptions: [{ stream_id, name }] }];
}
