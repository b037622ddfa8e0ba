import type { MessageFacts } from './message.ts';

/** What the unread messages of a snapshot may take. */
const MAX_BYTES = 800_000;
/** An id with a comma; and what stands around the topic, or the people, of the first message of a conversation. */
const ID_BYTES = 12;
const CONVERSATION_BYTES = 80;
/** What a person in a conversation takes. */
const PERSON_BYTES = 8;

/**
 * The newest of unread messages whose summary is short enough, ascending. Where each of very many is about something else,
 * older ones are left out.
 */
export function newestUnread(unread: MessageFacts[]): { newest: MessageFacts[]; isPartial: boolean } {
  const conversations = new Set<string>();
  let bytes = 0;
  for (let index = unread.length - 1; index >= 0; index--) {
    const message = unread[index] as MessageFacts;
    const conversation = nameOf(message);
    bytes += ID_BYTES + (conversations.has(conversation) ? 0 : bytesOf(message));
    conversations.add(conversation);
    if (bytes > MAX_BYTES) return { newest: unread.slice(index + 1), isPartial: true };
  }
  return { newest: unread, isPartial: false };
}

const nameOf = (message: MessageFacts): string =>
  message.kind === 'channel'
    ? `${message.channelId} ${message.topic}`
    : message.recipients.map(({ id }) => id).join();

const bytesOf = (message: MessageFacts): number =>
  CONVERSATION_BYTES +
  (message.kind === 'channel'
    ? 2 * Buffer.byteLength(message.topic)
    : message.recipients.length * PERSON_BYTES);
