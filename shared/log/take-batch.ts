import type { Message } from '#shared/domain/messages/message.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { blockOf } from '#shared/table/keys.ts';

/** A transaction holds a hundred writes, and items of 4 MB altogether. */
const WRITES_AT_ONCE = 76;
const BYTES_AT_ONCE = 1_000_000;

/** What the files take of a transaction that a text names before and after it is edited. */
export const WRITES_OF_FILES = 40;

/** The heads of conversations of more people are written one by one, before the message goes. */
export const HEADS_AT_ONCE = 60;

/**
 * As many of the messages, from the first one on, as one transaction can change beside so many other writes, one at
 * least.
 */
export function takeBatch<One extends Message>(messages: One[], otherWrites = 0): One[] {
  const blocks = new Set<number>();
  const places = new Map<string, number>();
  let bytes = 0;
  const end = messages.findIndex((message, index) => {
    const { messageId, content, html } = message;
    blocks.add(blockOf(messageId));
    const { name, heads } = headsOf(message);
    places.set(name, heads);
    bytes += 3 * (content.length + html.length);
    const otherHeads = [...places.values()].reduce((sum, count) => sum + count, -1);
    const writes = index + blocks.size + otherHeads + otherWrites;
    return index > 0 && (writes >= WRITES_AT_ONCE || bytes > BYTES_AT_ONCE);
  });
  return end < 0 ? messages : messages.slice(0, end);
}

/** The place of a message, and how many heads tell of what is the newest there. */
function headsOf(message: Message): { name: string; heads: number } {
  if (message.kind === 'channel')
    return { name: `${message.channelId} ${toCanonical(message.topic)}`, heads: 1 };
  const ids = message.recipients.map(({ id }) => id);
  return { name: `people ${ids}`, heads: Math.min(ids.length, HEADS_AT_ONCE) };
}
