import { toChannelRecord } from '#shared/domain/channels/channel.ts';
import { wasSubscribedAt } from '#shared/domain/subscriptions/subscription.ts';
import type { EventPayload } from '../catalogue.ts';
import type { Shaping } from '../shaping.ts';

/**
 * The stored form of channels that users may know of from now on if they are not subscribed anyway. Too many may be
 * revealed at once for their records and subscribers to stand in the log, and only who reads it knows who was subscribed.
 */
export interface ChannelsRevealed extends EventPayload {
  type: 'stream';
  op: 'create';
  revealed: number[];
}

/** The stored form of channels that users may know of no more unless they are subscribed. */
export interface ChannelsConcealed extends EventPayload {
  type: 'stream';
  op: 'delete';
  concealed: number[];
}

export const isRevelation = (payload: EventPayload): payload is ChannelsRevealed =>
  payload.type === 'stream' && payload.op === 'create' && 'revealed' in payload;

export const isConcealment = (payload: EventPayload): payload is ChannelsConcealed =>
  payload.type === 'stream' && payload.op === 'delete' && 'concealed' in payload;

/**
 * The channels first, then who was subscribed to them by this entry. Clients count subscribers by the second, so the
 * first counts none.
 */
export function shapeRevelation({ revealed }: ChannelsRevealed, shaping: Shaping): EventPayload[] {
  const shown = revealed
    .filter((channelId) => isOutside(channelId, shaping))
    .flatMap((channelId) => shaping.revealed?.get(channelId) ?? []);
  if (shown.length === 0) return [];
  const streams = shown.map(({ channel }) => ({ ...toChannelRecord(channel), subscriber_count: 0 }));
  const peers = shown
    .filter(({ subscriberIds }) => subscriberIds.length > 0)
    .map(({ channel, subscriberIds }) => ({
      type: 'subscription',
      op: 'peer_add',
      stream_ids: [channel.channelId],
      user_ids: subscriberIds,
    }));
  return [{ type: 'stream', op: 'create', streams }, ...peers];
}

export function shapeConcealment({ concealed }: ChannelsConcealed, shaping: Shaping): EventPayload[] {
  const ids = concealed.filter((channelId) => isOutside(channelId, shaping));
  if (ids.length === 0) return [];
  const streams = ids.map((id) => ({ stream_id: id }));
  return [{ type: 'stream', op: 'delete', streams, stream_ids: ids }];
}

const isOutside = (channelId: number, { viewer, position = 0 }: Shaping): boolean =>
  !wasSubscribedAt(viewer.subscriptions.get(channelId), position);
