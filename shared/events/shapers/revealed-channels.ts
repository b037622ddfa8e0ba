import { toChannelRecord } from '#shared/domain/channels/channel.ts';
import { wasSubscribedAt } from '#shared/domain/subscriptions/subscription.ts';
import type { WireEvent } from '../catalogue.ts';
import type { Shaping } from '../shaping.ts';
import { ownChannelEvents } from './own-channel.ts';

/**
 * The channel event comes first, then those of its subscribers at that entry, and of a subscription of the owner that has
 * ended. Clients count subscribers by the latter, so the former counts none.
 */
export function shapeRevelation(revealed: number[], shaping: Shaping): WireEvent[] {
  const shown = revealed
    .filter((channelId) => isOutside(channelId, shaping))
    .flatMap((channelId) => shaping.revealed?.get(channelId) ?? []);
  if (shown.length === 0) return [];
  const streams = shown.map(({ channel }) => ({ ...toChannelRecord(channel), subscriber_count: 0 }));
  const subscriptions = shown.flatMap(
    ({ channel, subscriberIds }) =>
      ownChannelEvents(toChannelRecord(channel), subscriberIds, shaping) ??
      peersOf(channel.channelId, subscriberIds),
  );
  return [{ type: 'stream', op: 'create', streams }, ...subscriptions];
}

const peersOf = (channelId: number, userIds: number[]): WireEvent[] =>
  userIds.length === 0
    ? []
    : [{ type: 'subscription', op: 'peer_add', stream_ids: [channelId], user_ids: userIds }];

export function shapeConcealment(concealed: number[], shaping: Shaping): WireEvent[] {
  const ids = concealed.filter((channelId) => isOutside(channelId, shaping));
  if (ids.length === 0) return [];
  const streams = ids.map((id) => ({ stream_id: id }));
  return [{ type: 'stream', op: 'delete', streams, stream_ids: ids }];
}

const isOutside = (channelId: number, { viewer, position }: Shaping): boolean =>
  !wasSubscribedAt(viewer.subscriptions.get(channelId), position);
