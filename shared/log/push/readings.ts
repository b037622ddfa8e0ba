import { unpackIds } from '#shared/domain/reading/id-list.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import type { LogEntry } from '#shared/store/log-entry.ts';

/** Whether somebody read messages by this event. */
export const isReading = ({ payload }: LogEvent): boolean =>
  payload.type === 'update_message_flags' && payload.op === 'add' && payload.flag === 'read';

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
