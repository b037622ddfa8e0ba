import type { Mentions } from '#shared/domain/messages/mentions.ts';
import { unpackIds } from '#shared/domain/reading/id-list.ts';
import type { EventPayload, LogEvent, PayloadOf } from '#shared/events/catalogue.ts';
import { isMessageUpdate } from '#shared/events/message-update.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';

/** Whether the event marks messages as read. */
export const isReading = ({ payload }: LogEvent): boolean => isReadingPayload(payload);

const isReadingPayload = (payload: EventPayload): payload is PayloadOf<'update_message_flags/add'> =>
  payload.type === 'update_message_flags' && payload.op === 'add' && payload.flag === 'read';

/** Whether messages disappear, for all users or for some. */
export const isVanishing = ({ payload }: LogEvent): boolean => isVanishingPayload(payload);

const isVanishingPayload = (
  payload: EventPayload,
): payload is PayloadOf<'delete_message' | 'update_message'> =>
  payload.type === 'delete_message' || (isMessageUpdate(payload) && payload.reach?.to !== undefined);

/** Whether the mentions of a message change. */
export const isCall = ({ payload }: LogEvent): boolean =>
  isMessageUpdate(payload) && payload.mentionsBefore !== undefined;

/** A message whose mentions change. */
export interface Call {
  messageId: number;
  before: Mentions;
}

/** The changed mentions in a log entry. */
export const callsOf = ({ events }: LogEntry): Call[] =>
  events.flatMap(({ payload }) =>
    isMessageUpdate(payload) && payload.mentionsBefore
      ? [{ messageId: payload.message_id, before: payload.mentionsBefore }]
      : [],
  );

/** Disappearing messages: for some users, or for subscribers of a channel who are not in another one. */
export interface Vanishing {
  messageIds: Set<number>;
  userIds?: number[];
  channelId?: number;
  butNotFrom?: number;
}

/** The disappearing messages in a log entry. */
export const vanishingsOf = ({ events }: LogEntry): Vanishing[] =>
  events.flatMap(({ audience, payload }): Vanishing[] => {
    if (!isVanishingPayload(payload)) return [];
    const messageIds = new Set(payload.message_ids);
    if (audience.kind === 'users') return [{ messageIds, userIds: audience.userIds }];
    const channelId = Number('stream_id' in payload && payload.stream_id);
    const butNotFrom = isMessageUpdate(payload) ? payload.reach?.to?.channelId : undefined;
    return [{ messageIds, channelId, ...(butNotFrom !== undefined && { butNotFrom }) }];
  });

/** The messages that a user read: some messages, optionally also all others at that time. */
export interface Reading {
  userId: number;
  isRead(messageId: number): boolean;
}

/** What users read according to a log entry. */
export const readingsOf = ({ events, position }: LogEntry): Reading[] =>
  events.flatMap(({ audience, payload }) => {
    if (audience.kind !== 'users' || !isReadingPayload(payload)) return [];
    const ids = new Set(unpackIds(payload.ids));
    const isAll = payload.unreadAfter !== undefined;
    const isRead = (id: number): boolean => ids.has(id) || (isAll && id < position);
    return audience.userIds.map((userId) => ({ userId, isRead }));
  });
