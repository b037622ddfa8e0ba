import { toChannelRecord } from '#shared/domain/channels/channel.ts';
import type { EventPayload } from '../catalogue.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaping } from '../shaping.ts';

/**
 * The stored form of channels that one user may know of from now on, with their counts of subscribers then: too many
 * may be revealed at once for their records to stand in the log.
 */
export interface ChannelsRevealed extends EventPayload {
  type: 'stream';
  op: 'create';
  revealed: [channelId: number, subscriberCount: number][];
}

export const isRevelation = (payload: EventPayload): payload is ChannelsRevealed =>
  payload.type === 'stream' && payload.op === 'create' && 'revealed' in payload;

/**
 * The channels first, then who is subscribed to them. Clients count subscribers by the second, so the first counts only
 * what it does not name.
 */
export function shapeRevelation({ revealed }: ChannelsRevealed, shaping: Shaping): EventPayload[] {
  const { filter } = shaping;
  const shown = revealed.flatMap(([channelId, count]) => {
    const found = shaping.revealed?.get(channelId);
    const isShown = found && (!found.channel.isArchived || hasCapability(filter, 'archived_channels'));
    return isShown ? [{ ...found, channelId, count }] : [];
  });
  if (shown.length === 0) return [];
  const streams = shown.map(({ channel, count, subscriberIds }) => ({
    ...toChannelRecord(channel),
    subscriber_count: count - subscriberIds.length,
  }));
  const peers = shown
    .filter(({ subscriberIds }) => subscriberIds.length > 0)
    .map(({ channelId, subscriberIds }) => ({
      type: 'subscription',
      op: 'peer_add',
      stream_ids: [channelId],
      user_ids: subscriberIds,
    }));
  return [{ type: 'stream', op: 'create', streams }, ...peers];
}
