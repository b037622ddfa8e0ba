import type { StoredMessage } from '#shared/domain/messages/message.ts';
import { isRoleUpdate } from '#shared/domain/users/events.ts';
import { reachesChannel } from '#shared/domain/users/user.ts';
import { isSeen } from '#shared/domain/users/visible-users.ts';
import type { Audience, EventPayload, LogEvent, ShapedPayload, WireEvent } from './catalogue.ts';
import { eventId, MAX_EVENTS_PER_POSITION } from './event-id.ts';
import { hasCapability, type QueueFilter } from './queue-filter.ts';
import { shapeAttachment } from './shapers/attachments.ts';
import { shapeChannel } from './shapers/channels.ts';
import { shapeDeletion } from './shapers/deletions.ts';
import { shapeDrafts } from './shapers/drafts.ts';
import { shapeEmoji } from './shapers/emoji.ts';
import { shapeFlags } from './shapers/flags.ts';
import { shapeUserGroup } from './shapers/groups.ts';
import { shapeLinkifiers } from './shapers/linkifiers.ts';
import { shapeMessageUpdate } from './shapers/message-updates.ts';
import { shapeMessage } from './shapers/messages.ts';
import { shapePresence } from './shapers/presence.ts';
import { shapeScheduled } from './shapers/scheduled.ts';
import { shapeStars } from './shapers/stars.ts';
import { shapeSubmessage } from './shapers/submessages.ts';
import { isSubscriptionAdd, shapeSubscription } from './shapers/subscriptions.ts';
import { shapeMutedTopics, shapeUserTopic } from './shapers/topics.ts';
import { shapeEditTyping, shapeTyping } from './shapers/typing.ts';
import { shapeUser } from './shapers/users.ts';
import { shapeGained, shapeLost } from './shapers/visibility.ts';
import type { Shaper, Shaping } from './shaping.ts';
import { INTERNAL_KEY_ENDED, INTERNAL_QUEUE_REMOVED, INTERNAL_SESSION_ENDED } from './stored-fields.ts';
import { getsMessage, isInAudience, type Viewer } from './viewer.ts';

/** An event as sent to one client. */
export type ShapedEvent = ShapedPayload & { id: number };

export interface ShapedEntry {
  position: number;
  events: LogEvent[];
  message?: StoredMessage;
}

type StoredOf<Type> = Extract<EventPayload, { type: Type }>;

type NeededShapers = {
  [Type in EventPayload['type'] as StoredOf<Type> extends WireEvent ? never : Type]: Shaper<Type>;
};

/** Types that clients could get as they are stored, but for their capabilities. */
type OtherShapers = { [Type in EventPayload['type']]?: Shaper<Type> };

/** Required for all event types whose stored form differs from what clients get. */
const shapers: NeededShapers & OtherShapers = {
  attachment: shapeAttachment,
  delete_message: shapeDeletion,
  drafts: shapeDrafts,
  [INTERNAL_QUEUE_REMOVED]: ({ type, queueId }, shaping) => (queueId === shaping.queueId ? [{ type }] : []),
  [INTERNAL_KEY_ENDED]: () => [],
  [INTERNAL_SESSION_ENDED]: () => [],
  muted_topics: shapeMutedTopics,
  realm_emoji: shapeEmoji,
  presence: shapePresence,
  realm_linkifiers: shapeLinkifiers,
  realm_user: shapeUser,
  scheduled_messages: shapeScheduled,
  stream: shapeChannel,
  submessage: shapeSubmessage,
  subscription: shapeSubscription,
  user_group: shapeUserGroup,
  typing: shapeTyping,
  typing_edit_message: shapeEditTyping,
  update_message: shapeMessageUpdate,
  update_message_flags: shapeFlags,
  user_status: (payload, { visibleUsers }) => (isSeen(visibleUsers, payload.user_id) ? [payload] : []),
  user_topic: shapeUserTopic,
};

/**
 * Shapes a log entry for one queue: the events that its owner may see and asked for, in the format that the
 * client supports, with ids that increase within the queue.
 */
export function shapeEntry(entry: ShapedEntry, shaping: Shaping): ShapedEvent[] {
  const { filter, viewer } = shaping;
  const knowsArchived = hasCapability(filter, 'archived_channels');
  const shaped = entry.events
    .filter(({ isOfArchived }) => knowsArchived || !isOfArchived)
    .filter(({ audience }) => isInAudience(audience, viewer, entry.position))
    .filter(({ audience, payload }) => isReached(audience, payload, viewer))
    .flatMap(({ payload }) => shapeEvent(payload, shaping));
  const payloads = [...shapeGained(shaping), ...shaped, ...shapeLost(shaping)].filter(
    (payload) => !payload || wants(filter, payload.type),
  );
  const stars = shaping.stars ? shapeStars(shaping.stars) : [];
  const all: (ShapedPayload | undefined)[] = [...payloads, ...messageEvents(entry, shaping), ...stars];
  // More events do not fit between two positions; the client registers again and gets the complete state.
  if (all.length > MAX_EVENTS_PER_POSITION) all.splice(0, all.length, { type: INTERNAL_QUEUE_REMOVED });
  return all.flatMap((payload, index) =>
    payload ? [{ ...payload, id: eventId(entry.position, index) }] : [],
  );
}

/** An event as its shaper makes it; most need none. */
function shapeEvent(payload: EventPayload, shaping: Shaping): ShapedPayload[] {
  // The shaper of the payload's own type takes it, and types without a shaper are stored as clients get them.
  const shape = shapers[payload.type] as ((event: EventPayload, by: Shaping) => ShapedPayload[]) | undefined;
  return shape ? shape(payload, shaping) : [payload as WireEvent];
}

/** Whether an event is about channels that the viewer reaches; queues end all the same. */
function isReached(audience: Audience, { type }: EventPayload, { user }: Viewer): boolean {
  if (user.onlyChannels === undefined || type === INTERNAL_QUEUE_REMOVED) return true;
  if (audience.kind === 'holders') return audience.channelIds.some((id) => reachesChannel(user, id));
  return audience.kind === 'readers' && reachesChannel(user, audience.channelId);
}

function messageEvents({ message, position }: ShapedEntry, shaping: Shaping): ShapedPayload[] {
  if (!message || !wants(shaping.filter, 'message')) return [];
  return shapeMessage({ ...message, messageId: position }, shaping);
}

/** Channels that this entry subscribes the viewer to; the event includes their subscribers. */
export const channelsGained = (entry: ShapedEntry, userId: number): number[] =>
  entry.events.flatMap(({ audience, payload }) =>
    isSubscriptionAdd(payload) && audience.kind === 'users' && audience.userIds.includes(userId)
      ? payload.rows.filter((row) => row[0] === userId).map((row) => row[1])
      : [],
  );

/**
 * Channels that the entry reveals to or conceals from the viewer; for revealed ones the event includes
 * records and subscribers.
 */
export function channelsTurned(
  entry: ShapedEntry,
  userId: number,
): { revealed: number[]; concealed: number[] } {
  const payloads = entry.events
    .filter(({ audience }) => audience.kind === 'users' && audience.userIds.includes(userId))
    .map(({ payload }) => payload);
  return {
    revealed: payloads.flatMap((payload) => ('revealed' in payload ? payload.revealed : [])),
    concealed: payloads.flatMap((payload) => ('concealed' in payload ? payload.concealed : [])),
  };
}

/** Whether the viewer is in the audience of an entry. */
export const concerns = ({ events, message, position }: ShapedEntry, viewer: Viewer, filter: QueueFilter) =>
  (message && getsMessage(viewer, { ...message, messageId: position }, filter.allPublicChannels)) ||
  events.some(({ audience }) => isInAudience(audience, viewer, position));

/** Whether the entry changes the user's role, which affects how they see others. */
export const changesRoleOf = (entry: ShapedEntry, userId: number): boolean =>
  entry.events.some(({ payload }) => isRoleUpdate(payload) && payload.person.user_id === userId);

export const wants = (filter: QueueFilter, type: string): boolean =>
  type === INTERNAL_QUEUE_REMOVED ||
  (!filter.withheldTypes?.includes(type) && (filter.eventTypes === null || filter.eventTypes.includes(type)));
