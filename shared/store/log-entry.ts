import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { StoredMessage } from '#shared/domain/messages/message.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { type Key, keys, messageIndex, positionOfSortKey } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';

/** What stands at one position of the organization's log: events, then perhaps a message. Sealed holes have neither. */
export interface LogEntry {
  position: number;
  /** The clock of the writer. */
  atMs: number;
  /** Names the attempt that wrote the entry. */
  writeId: string;
  events: LogEvent[];
  message?: StoredMessage;
}

/** The longest life of a queue, and a day for whatever is late. */
export const EVENT_LIFE_SECONDS = 8 * 24 * 3600;

/** The item of an entry. Messages stay until they are deleted; entries of events alone end some time after the longest queue. */
export function toItem(entry: LogEntry): ReturnType<typeof keys.logEntry> & Item {
  const { position, atMs, writeId, events, message } = entry;
  return {
    ...keys.logEntry(position),
    atMs,
    writeId,
    ...(events.length > 0 && { events }),
    ...(message
      ? { message, ...messageIndexKeys(message) }
      : { expiresAtSeconds: Math.floor(atMs / 1000) + EVENT_LIFE_SECONDS }),
  };
}

/** Copies are read while they are younger than a minute. */
const COPY_LIFE_SECONDS = 3600;

/** The item of an entry in a copy of the log's tail. No index finds it. */
export function toCopy({ position, atMs, writeId, events, message }: LogEntry, copy: number): Key & Item {
  return {
    ...keys.tailEntry(copy, position),
    atMs,
    writeId,
    ...(events.length > 0 && { events }),
    ...(message && { message }),
    expiresAtSeconds: Math.floor(atMs / 1000) + COPY_LIFE_SECONDS,
  };
}

/** An entry as far as it fills its position, and the attributes that say so much. */
export type Filled = Pick<LogEntry, 'position' | 'atMs'>;
export const FILLED = ['sk', 'atMs'];

/** An entry without its events, and the attributes that say so much. */
export type Logged = Filled & Pick<LogEntry, 'message'>;
export const LOGGED = [...FILLED, 'message', 'reactionsIn', 'revision'];

export function toEntry(item: Item): LogEntry {
  return {
    position: positionOfSortKey(String(item.sk)),
    atMs: Number(item.atMs),
    writeId: String(item.writeId),
    events: (item.events ?? []) as LogEvent[],
    ...(item.message !== undefined && { message: withAttributes(item.message as StoredMessage, item) }),
  };
}

/** The first reaction and submessage to a message, and each change of it, leave this beside it. */
const withAttributes = (
  message: StoredMessage,
  { reactionsIn, submessagesIn, revision }: Item,
): StoredMessage =>
  reactionsIn === undefined && submessagesIn === undefined && revision === undefined
    ? message
    : {
        ...message,
        ...(reactionsIn !== undefined && { reactionsIn: String(reactionsIn) }),
        ...(submessagesIn !== undefined && { submessagesIn: String(submessagesIn) }),
        ...(revision !== undefined && { revision: Number(revision) }),
      };

/** An entry that fills a hole, so that readers can go on. */
export const voidEntry = (position: number, atMs: number, writeId: string): LogEntry => ({
  position,
  atMs,
  writeId,
  events: [],
});

/** The attributes by which the indexes find a message. */
export function messageIndexKeys(message: StoredMessage): Item {
  if (message.kind === 'direct')
    return { inConversation: messageIndex.direct(conversationKey(message.recipients.map(({ id }) => id))) };
  return {
    inConversation: messageIndex.topic(message.channelId, toCanonical(message.topic)),
    inChannel: messageIndex.channel(message.channelId),
  };
}
