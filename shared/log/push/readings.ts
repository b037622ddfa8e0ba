import type { Mentions } from '#shared/domain/messages/mentions.ts';
import { unpackIds } from '#shared/domain/reading/id-list.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { isMessageUpdate } from '#shared/events/message-update.ts';
import type { LogEntry } from '#shared/store/log-entry.ts';

/** Whether somebody read messages by this event. */
export const isReading = ({ payload }: LogEvent): boolean =>
  payload.type === 'update_message_flags' && payload.op === 'add' && payload.flag === 'read';

/** Whether messages go by this event, for everybody or for those who may not follow. */
export const isVanishing = ({ payload }: LogEvent): boolean =>
  payload.type === 'delete_message' || (isMessageUpdate(payload) && payload.reach?.to !== undefined);

/** Whether a message mentions others than before by this event. */
export const isCall = ({ payload }: LogEvent): boolean =>
  isMessageUpdate(payload) && payload.mentionsBefore !== undefined;

/** A message that mentions others than before. */
export interface Call {
  messageId: number;
  before: Mentions;
}

/** What mentions others than before by an entry of the log. */
export const callsOf = ({ events }: LogEntry): Call[] =>
  events.flatMap(({ payload }) =>
    isMessageUpdate(payload) && payload.mentionsBefore
      ? [{ messageId: payload.message_id, before: payload.mentionsBefore }]
      : [],
  );

/** Messages that go: from some users, or from those in a channel who are not in another one. */
export interface Vanishing {
  messageIds: Set<number>;
  userIds?: number[];
  channelId?: number;
  butNotFrom?: number;
}

/** What goes by an entry of the log. */
export const vanishingsOf = ({ events }: LogEntry): Vanishing[] =>
  events.filter(isVanishing).map(({ audience, payload }) => {
    const messageIds = new Set(payload.message_ids as number[]);
    if (audience.kind === 'users') return { messageIds, userIds: audience.userIds };
    const channelId = Number(payload.stream_id);
    const butNotFrom = isMessageUpdate(payload) ? payload.reach?.to?.channelId : undefined;
    return { messageIds, channelId, ...(butNotFrom !== undefined && { butNotFrom }) };
  });

/** What somebody read: some messages, or besides all that were there. */
export interface Reading {
  userId: number;
  isRead(messageId: number): boolean;
}

/** Who read what by an entry of the log. */
export const readingsOf = ({ events, position }: LogEntry): Reading[] =>
  events.filter(isReading).flatMap(({ audience, payload }) => {
    if (audience.kind !== 'users') return [];
    const ids = new Set(unpackIds(payload.ids as Uint8Array));
    const isAll = payload.unreadAfter !== undefined;
    const isRead = (id: number): boolean => ids.has(id) || (isAll && id < position);
    return audience.userIds.map((userId) => ({ userId, isRead }));
  });
