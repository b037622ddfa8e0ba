import { showTopic } from '#shared/domain/messages/topic.ts';
import type { UnreadPlace } from '#shared/domain/reading/events.ts';
import { unpackIds } from '#shared/domain/reading/id-list.ts';
import type { PayloadOf, WireEvent } from '../catalogue.ts';
import type { UnreadDetails } from '../event-fields.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaper } from '../shaping.ts';

/** Messages got or lost a flag. */
export type FlagUpdate = PayloadOf<'update_message_flags/add' | 'update_message_flags/remove'>;

type UnreadUpdate = Extract<FlagUpdate, { places: unknown }>;

/**
 * The log stores ids packed, and the places of messages that became unread once; clients get both in full.
 */
export const shapeFlags: Shaper<'update_message_flags'> = (payload, { filter }) =>
  'places' in payload
    ? [spellUnread(payload, hasCapability(filter, 'empty_topic_name'))]
    : [spellIds(payload, unpackIds(payload.ids))];

/** A flag event with the ids of its messages instead of their stored form. */
export function spellIds(payload: FlagUpdate, messages: number[]): WireEvent {
  const { type, operation, flag, all } = payload;
  return operation === 'add'
    ? { type, op: operation, operation, flag, all, messages }
    : { type, op: operation, operation, flag, all, messages };
}

function spellUnread({ places, ...rest }: UnreadUpdate, allowsEmptyTopic: boolean): WireEvent {
  const details = places
    .flatMap((place) => unpackIds(place.ids).map((id) => [id, toDetails(place, allowsEmptyTopic)] as const))
    .sort(([a], [b]) => a - b);
  return {
    ...rest,
    messages: details.map(([id]) => id),
    message_details: Object.fromEntries(details),
  };
}

function toDetails(place: UnreadPlace, allowsEmptyTopic: boolean): UnreadDetails {
  const mentioned = place.isMentioned && { mentioned: place.isMentioned };
  if (place.kind === 'direct') return { type: 'private', user_ids: place.userIds, ...mentioned };
  return {
    type: 'stream',
    stream_id: place.channelId,
    topic: showTopic(place.topic, allowsEmptyTopic),
    unmuted_stream_msg: !place.isMuted,
    ...mentioned,
  };
}
