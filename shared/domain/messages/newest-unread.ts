import type { MessageFacts } from './message.ts';

/** The maximum size of the unread messages in a snapshot. */
const MAX_BYTES = 800_000;
/** An id with a comma; and the overhead per conversation. */
const ID_BYTES = 12;
const CONVERSATION_BYTES = 80;
/** The size of one participant. */
const PERSON_BYTES = 8;

/**
 * The newest unread messages whose summary fits, ascending. Older ones are left out when very many
 * conversations have unread messages.
 */
export function newestUnread(unread: MessageFacts[]): { newest: MessageFacts[]; isPartial: boolean } {
  const named = new Map<string | number, Set<string>>();
  let bytes = 0;
  for (let index = unread.length - 1; index >= 0; index--) {
    const message = unread[index] as MessageFacts;
    const [group, name] = nameOf(message);
    const names = named.get(group) ?? new Set();
    if (names.size === 0) named.set(group, names);
    bytes += ID_BYTES + (names.has(name) ? 0 : bytesOf(message));
    names.add(name);
    if (bytes > MAX_BYTES) return { newest: unread.slice(index + 1), isPartial: true };
  }
  return { newest: unread, isPartial: false };
}

/** The name of a conversation in two parts, since putting texts together is slow for 50 000 messages. */
const nameOf = (message: MessageFacts): [group: string | number, name: string] =>
  message.kind === 'channel'
    ? [message.channelId, message.topic]
    : ['direct', message.recipients.map(({ id }) => id).join()];

const bytesOf = (message: MessageFacts): number =>
  CONVERSATION_BYTES +
  (message.kind === 'channel'
    ? 2 * Buffer.byteLength(message.topic)
    : message.recipients.length * PERSON_BYTES);
