import type { ChannelRecord } from '#shared/domain/channels/channel.ts';
import type { EventPayload, PayloadOf, WireEvent, WireEventOf } from '../catalogue.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaper, Shaping } from '../shaping.ts';
import { ownChannelEvents } from './own-channel.ts';
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
function returnEvents(
  { stream_id: channelId, subscriberIds = [] }: ChannelUpdate,
  record: ChannelRecord,
  shaping: Shaping,
): WireEvent[] {
  const creation: WireEventOf<'stream/create'> = {
    type: 'stream',
    op: 'create',
    streams: [{ ...record, subscriber_count: 0 }],
  };
  const peers: WireEventOf<'subscription/peer_add'> = {
    type: 'subscription',
    op: 'peer_add',
    stream_ids: [channelId],
    user_ids: subscriberIds,
  };
  return [creation, ...(ownChannelEvents(record, subscriberIds, shaping) ?? [peers])];
}
