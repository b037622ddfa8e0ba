import type { MessageFacts } from '#shared/domain/messages/message.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import type { FlagEdit } from './flag-edit.ts';
import { packIds } from './id-list.ts';

/** Where messages are that became unread again, as their event tells it. */
export interface UnreadPlace {
  kind: 'channel' | 'direct';
  channelId?: number;
  topic?: string;
  isMuted?: boolean;
  /** The other participants, ascending. */
  userIds?: number[];
  /** They mention the user. */
  isMentioned?: true;
  ids: Uint8Array;
}

/** Some of a user's messages got a flag or lost it. What became unread goes by `unreadEvent`. */
export const flagEvent = (userId: number, { flag, op }: FlagEdit, messageIds: number[]): LogEvent => ({
  audience: { kind: 'users', userIds: [userId] },
  payload: { type: 'update_message_flags', op, operation: op, flag, ids: packIds(messageIds), all: false },
});

/** What messages mean to the user beside where they are. */
export interface Hearing {
  isMuted(message: MessageFacts): boolean;
  /** Whether it counts among those that mention them. */
  isCall(message: MessageFacts): boolean;
}

/** Messages became unread: clients learn where they are, since they may not know them. */
export function unreadEvent(userId: number, messages: MessageFacts[], hearing: Hearing): LogEvent {
  const groups = Map.groupBy(messages, (message) => JSON.stringify(describePlace(userId, message, hearing)));
  const places = [...groups].map(([place, group]) => ({
    ...(JSON.parse(place) as Omit<UnreadPlace, 'ids'>),
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

function describePlace(
  userId: number,
  message: MessageFacts,
  { isMuted, isCall }: Hearing,
): Omit<UnreadPlace, 'ids'> {
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
 * Everything before this entry of the log became read. Which messages that are is not said here, however many they
 * are: those between the old floor and the entry that were not marked as read, and those that were marked as unread.
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
