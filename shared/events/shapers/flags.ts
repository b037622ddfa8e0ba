import { EMPTY_TOPIC_DISPLAY_NAME } from '#shared/domain/messages/topic.ts';
import type { UnreadPlace } from '#shared/domain/reading/events.ts';
import { unpackIds } from '#shared/domain/reading/id-list.ts';
import type { EventPayload } from '../catalogue.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaper } from '../shaping.ts';

/**
 * The log stores ids packed, and the places of messages that became unread once; clients get both in full.
 */
export const shapeFlags: Shaper = (payload, { filter }) => {
  if (payload.places) return [spellUnread(payload, hasCapability(filter, 'empty_topic_name'))];
  if (payload.ids) return [spellIds(payload, unpackIds(payload.ids as Uint8Array))];
  return [payload];
};

/** A flag event with the ids of its messages instead of their stored form. */
export function spellIds(payload: EventPayload, messageIds: number[]): EventPayload {
  const { ids: _ids, unreadAfter: _unreadAfter, ...rest } = payload;
  return { ...rest, messages: messageIds };
}

function spellUnread(payload: EventPayload, allowsEmptyTopic: boolean): EventPayload {
  const { places, ...rest } = payload;
  const details = (places as UnreadPlace[])
    .flatMap((place) => unpackIds(place.ids).map((id) => [id, toDetails(place, allowsEmptyTopic)] as const))
    .sort(([a], [b]) => a - b);
  return {
    ...rest,
    messages: details.map(([id]) => id),
    message_details: Object.fromEntries(details),
  };
}

function toDetails(place: UnreadPlace, allowsEmptyTopic: boolean) {
  const { kind, channelId, topic, isMuted, userIds, isMentioned } = place;
  const mentioned = isMentioned && { mentioned: true };
  if (kind === 'direct') return { type: 'private', user_ids: userIds, ...mentioned };
  return {
    type: 'stream',
    stream_id: channelId,
    topic: topic === '' && !allowsEmptyTopic ? EMPTY_TOPIC_DISPLAY_NAME : topic,
    unmuted_stream_msg: !isMuted,
    ...mentioned,
  };
}
