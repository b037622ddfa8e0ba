import type { Message } from '#shared/domain/messages/message.ts';
import { blockOf } from '#shared/table/keys.ts';

/** A transaction holds a hundred writes, and items of 4 MB altogether. */
const WRITES_AT_ONCE = 76;
const BYTES_AT_ONCE = 1_000_000;

/** What the files take of a transaction that a text names before and after it is edited. */
export const WRITES_OF_FILES = 40;

/**
 * As many of the messages, from the first one on, as one transaction can change beside so many other writes, one at
 * least.
 */
export function takeBatch<One extends Message>(messages: One[], otherWrites = 0): One[] {
  const blocks = new Set<number>();
  let bytes = 0;
  const end = messages.findIndex(({ messageId, content, html }, index) => {
    blocks.add(blockOf(messageId));
    bytes += 3 * (content.length + html.length);
    return index > 0 && (index + blocks.size >= WRITES_AT_ONCE - otherWrites || bytes > BYTES_AT_ONCE);
  });
  return end < 0 ? messages : messages.slice(0, end);
}
