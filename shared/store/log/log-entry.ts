import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { StoredMessage } from '#shared/domain/messages/message.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { logKeys, messageIndex, positionOfSortKey } from '#shared/table/keys/log.ts';
import type { Item } from '#shared/table/table.ts';

/** One position of the organization's log: events, then at most one message. Sealed holes have neither. */
export interface LogEntry {
  position: number;
  /** The writer's clock. */
  atMs: number;
  /** Identifies the attempt that wrote the entry. */
  writeId: string;
  events: LogEvent[];
  message?: StoredMessage;
}

/** The longest life of a queue plus one day. */
export const EVENT_LIFE_SECONDS = 8 * 24 * 3600;

/**
 * The item of an entry. Messages stay until they are deleted; entries with only events expire some time after
 * the longest queue.
 */
export function toItem(entry: LogEntry): ReturnType<typeof logKeys.entry> & Item {
  const { position, atMs, writeId, events, message } = entry;
  return {
    ...logKeys.entry(position),
    atMs,
    writeId,
    ...(events.length > 0 && { events }),
    ...(message
      ? { message, ...messageIndexKeys(message) }
      : { expiresAtSeconds: Math.floor(atMs / 1000) + EVENT_LIFE_SECONDS }),
  };
}

/** The part of an entry that shows that its position is filled, and the attributes to read. */
export type Filled = Pick<LogEntry, 'position' | 'atMs'>;
export const FILLED = ['sk', 'atMs'];

/** An entry without its events, and the attributes to read. */
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

/** Adds the attributes that the first reaction, the first submessage and each change leave at a message. */
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

/** A no-op entry that fills a hole, so that readers can continue. */
export const noOpEntry = (position: number, atMs: number, writeId: string): LogEntry => ({
  position,
  atMs,
  writeId,
  events: [],
});

/** The index attributes of a message. */
export function messageIndexKeys(message: StoredMessage): Item {
  if (message.kind === 'direct')
    return { inConversation: messageIndex.direct(conversationKey(message.recipients.map(({ id }) => id))) };
  return {
    inConversation: messageIndex.topic(message.channelId, toCanonical(message.topic)),
    inChannel: messageIndex.channel(message.channelId),
  };
}
