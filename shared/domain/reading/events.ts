import type { MessageFacts } from '#shared/domain/messages/message.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import type { FlagEdit } from './flag-edit.ts';
import { packIds } from './id-list.ts';

/** The place of messages that became unread again, as in their event. */
export type UnreadPlace = PlaceOfUnread & { ids: Uint8Array };

/** `userIds` are the other participants, ascending. */
type PlaceOfUnread = (
  | { kind: 'channel'; channelId: number; topic: string; isMuted: boolean }
  | { kind: 'direct'; userIds: number[] }
) & {
  /** The message mentions the user. */
  isMentioned?: true;
};

/** Messages got or lost a flag. Messages that became unread use `unreadEvent`. */
export function flagEvent(userId: number, { flag, op }: FlagEdit, messageIds: number[]): LogEvent {
  const type = 'update_message_flags';
  const changed = { flag, ids: packIds(messageIds), all: false };
  return {
    audience: { kind: 'users', userIds: [userId] },
    payload: op === 'add' ? { type, op, operation: op, ...changed } : { type, op, operation: op, ...changed },
  };
}

/** The user's relation to the messages, which the event depends on. */
export interface Hearing {
  isMuted(message: MessageFacts): boolean;
  /** Whether the message counts as a mention of the user. */
  isCall(message: MessageFacts): boolean;
}

/** Messages became unread. The event includes their places, because clients may not have loaded them. */
export function unreadEvent(userId: number, messages: MessageFacts[], hearing: Hearing): LogEvent {
  const groups = Map.groupBy(messages, (message) => JSON.stringify(describePlace(userId, message, hearing)));
  const places = [...groups].map(([place, group]) => ({
    ...(JSON.parse(place) as PlaceOfUnread),
    ids: packIds(group.map(({ messageId }) => messageId)),
  }));
  return {
    audience: { kind: 'users', userIds: [userId] },
    payload: {
      type: 'update_message_flags',
      op: 'remove',
      operation: 'remove',
      flag: 'read',
      places,
      all: false,
    },
  };
}

function describePlace(userId: number, message: MessageFacts, { isMuted, isCall }: Hearing): PlaceOfUnread {
  const mentioned = isCall(message) ? { isMentioned: true as const } : {};
  if (message.kind === 'channel')
    return {
      kind: 'channel',
      channelId: message.channelId,
      topic: message.topic,
      isMuted: isMuted(message),
      ...mentioned,
    };
  const userIds = message.recipients.map(({ id }) => id).filter((id) => id !== userId);
  return { kind: 'direct', userIds: userIds.sort((a, b) => a - b), ...mentioned };
}

/**
 * Everything before this log entry became read. The event does not list the messages, however many there are:
 * those between the old floor and the entry, except those marked as read, and those marked as unread.
 */
export const markAllEvent = (userId: number, oldFloor: number, markedUnread: number[]): LogEvent => ({
  audience: { kind: 'users', userIds: [userId] },
  payload: {
    type: 'update_message_flags',
    op: 'add',
    operation: 'add',
    flag: 'read',
    ids: packIds(markedUnread),
    unreadAfter: oldFloor,
    all: false,
  },
});
