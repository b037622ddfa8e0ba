import type { ChannelRecord } from '#shared/domain/channels/channel.ts';
import { hasReceived, isUnread } from '#shared/domain/messages/access.ts';
import type { Message, StoredMessage } from '#shared/domain/messages/message.ts';
import { toMessageRecord } from '#shared/domain/messages/record.ts';
import { EMPTY_TOPIC_DISPLAY_NAME } from '#shared/domain/messages/topic.ts';
import { toSubscriptionRecord } from '#shared/domain/subscriptions/record.ts';
import { subscribeAt } from '#shared/domain/subscriptions/subscription.ts';
import { toUserRecord } from '#shared/domain/users/record.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { EventPayload, LogEvent } from './catalogue.ts';
import { eventId } from './event-id.ts';
import { hasCapability, type QueueFilter } from './queue-filter.ts';
import { matchesQueueNarrow } from './queue-narrow.ts';
import { getsMessage, isInAudience, type Viewer } from './viewer.ts';

/** An event as one client gets it. */
export type ShapedEvent = { id: number; type: string } & Record<string, unknown>;

export interface ShapedEntry {
  position: number;
  events: LogEvent[];
  message?: StoredMessage;
}

/** The queue for which events are shaped, and what is loaded beside the entry. */
export interface Shaping {
  queueId: string;
  filter: QueueFilter;
  viewer: Viewer;
  /** The subscribers of channels that the viewer was subscribed to in this entry. */
  subscribersOf: Map<number, number[]>;
}

/**
 * What an entry of the log is for one queue: the events that its owner may see and asked for, in the form that the
 * client understands, with ids that grow within the queue.
 */
export function shapeEntry(entry: ShapedEntry, shaping: Shaping): ShapedEvent[] {
  const { filter, viewer } = shaping;
  const payloads = entry.events
    .filter(({ audience }) => isInAudience(audience, viewer, entry.position))
    .flatMap(({ payload }) => shapePayload(payload, shaping))
    .filter(({ type }) => wants(filter, type));
  const message = entry.message && shapeMessage({ ...entry.message, messageId: entry.position }, shaping);
  return [...payloads, ...(message ? [message] : [])].map((payload, index) => ({
    ...payload,
    id: eventId(entry.position, index),
  }));
}

/** Channels to which the viewer is subscribed by this entry; their subscriber lists are part of the event. */
export const channelsGained = (entry: ShapedEntry, userId: number): number[] =>
  entry.events.flatMap(({ audience, payload }) =>
    isSubscriptionAdd(payload) && audience.kind === 'users' && audience.userIds.includes(userId)
      ? payload.rows.filter((row) => row[0] === userId).map((row) => row[1])
      : [],
  );

const wants = (filter: QueueFilter, type: string): boolean =>
  type === INTERNAL_QUEUE_REMOVED || filter.eventTypes === null || filter.eventTypes.includes(type);

/** Tells polls of a queue that the queue is gone; no client ever sees it. */
export const INTERNAL_QUEUE_REMOVED = 'queue_removed';

/** The stored form of `subscription/add`: channel records once, and who got which one in which colour. */
export interface SubscriptionAdd extends EventPayload {
  type: 'subscription';
  op: 'add';
  channels: ChannelRecord[];
  rows: [userId: number, channelId: number, color: string][];
}

const isSubscriptionAdd = (payload: EventPayload): payload is SubscriptionAdd =>
  payload.type === 'subscription' && payload.op === 'add';

function shapePayload(payload: EventPayload, shaping: Shaping): EventPayload[] {
  if (payload.type === INTERNAL_QUEUE_REMOVED) return payload.queueId === shaping.queueId ? [payload] : [];
  if (isSubscriptionAdd(payload)) return [shapeSubscriptionAdd(payload, shaping)];
  if (payload.type === 'realm_user' && payload.op === 'add') return [shapeUserAdd(payload, shaping.filter)];
  if (payload.type === 'scheduled_messages') return [showEmptyTopics(payload, shaping.filter)];
  return [payload];
}

const shapeUserAdd = (payload: EventPayload, { clientGravatar }: QueueFilter): EventPayload => ({
  type: 'realm_user',
  op: 'add',
  person: toUserRecord(payload.user as User, { clientGravatar, withProfileData: true }),
});

function shapeSubscriptionAdd(payload: SubscriptionAdd, shaping: Shaping): EventPayload {
  const { filter, viewer, subscribersOf } = shaping;
  const userId = viewer.user.userId;
  const style = { allowsNullNotifications: hasCapability(filter, 'notification_settings_null') };
  const subscriptions = payload.rows
    .filter(([id]) => id === userId)
    .flatMap(([, channelId, color]) => {
      const channel = payload.channels.find((one) => one.stream_id === channelId);
      if (!channel) return [];
      const fresh = subscribeAt(undefined, { userId, channelId }, color, 0);
      const personal = { ...(viewer.subscriptions.get(channelId) ?? fresh), color };
      const subscribers = subscribersOf.get(channelId);
      return [{ ...toSubscriptionRecord(channel, personal, style), ...(subscribers && { subscribers }) }];
    });
  return { type: 'subscription', op: 'add', subscriptions };
}

/** Clients that do not know of empty topics see the display name in scheduled messages too. */
function showEmptyTopics(payload: EventPayload, filter: QueueFilter): EventPayload {
  if (hasCapability(filter, 'empty_topic_name')) return payload;
  const show = (record: unknown): unknown => {
    const scheduled = record as { topic?: string };
    return scheduled.topic === '' ? { ...scheduled, topic: EMPTY_TOPIC_DISPLAY_NAME } : scheduled;
  };
  if (Array.isArray(payload.scheduled_messages))
    return { ...payload, scheduled_messages: payload.scheduled_messages.map(show) };
  return payload.scheduled_message
    ? { ...payload, scheduled_message: show(payload.scheduled_message) }
    : payload;
}

function shapeMessage(message: Message, { queueId, filter, viewer }: Shaping): EventPayload | undefined {
  if (!wants(filter, 'message') || !getsMessage(viewer, message, filter.allPublicChannels)) return undefined;
  const flags = messageFlags(message, viewer);
  if (!matchesQueueNarrow(filter.narrow, message, flags)) return undefined;
  const record = toMessageRecord(message, {
    applyMarkdown: filter.applyMarkdown,
    clientGravatar: filter.clientGravatar,
    allowsEmptyTopic: hasCapability(filter, 'empty_topic_name'),
  });
  const isEcho = message.senderId === viewer.user.userId && message.echo?.queueId === queueId;
  return {
    type: 'message',
    message: record,
    flags,
    ...(isEcho && { local_message_id: message.echo?.localId }),
  };
}

/** Flags as of sending: what the sender read, and what a reader of all public channels never received. */
function messageFlags(message: Message, { user, subscriptions }: Viewer): string[] {
  const subscription = message.kind === 'channel' ? subscriptions.get(message.channelId) : undefined;
  if (!hasReceived(user, message, subscription)) return ['read', 'historical'];
  return isUnread(user, message, undefined, 0) ? [] : ['read'];
}
