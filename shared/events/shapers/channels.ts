import type { ChannelRecord } from '#shared/domain/channels/channel.ts';
import type { EventPayload } from '../catalogue.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaper, Shaping } from '../shaping.ts';
import { ownChannelEvents } from './own-channel.ts';

/**
 * The stored form of archiving and unarchiving, with data for clients that do not support archived channels.
 */
export interface ArchivalUpdate extends EventPayload {
  type: 'stream';
  op: 'update';
  stream_id: number;
  property: 'is_archived';
  value: boolean;
  /** For unarchiving: the channel's record and subscribers. */
  record?: ChannelRecord;
  subscriberIds?: number[];
}

export const isArchivalUpdate = (payload: EventPayload): payload is ArchivalUpdate =>
  payload.property === 'is_archived';

export const shapeChannel: Shaper = (payload, shaping) => {
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
  { stream_id: channelId, subscriberIds = [] }: ArchivalUpdate,
  record: ChannelRecord,
  shaping: Shaping,
): EventPayload[] {
  const creation = { type: 'stream', op: 'create', streams: [{ ...record, subscriber_count: 0 }] };
  const peers = { type: 'subscription', op: 'peer_add', stream_ids: [channelId], user_ids: subscriberIds };
  return [creation, ...(ownChannelEvents(record, subscriberIds, shaping) ?? [peers])];
}
