import type { Message } from '#shared/domain/messages/message.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { blockOf } from '#shared/table/keys/log.ts';

/** A transaction is limited to 100 writes and 4 MB. */
const WRITES_AT_ONCE = 76;
/** Of contents and their HTML. A character takes three bytes at most. */
const CHARACTERS_AT_ONCE = 330_000;

/** The writes for files that a text links to before and after an edit. */
export const WRITES_OF_FILES = 40;

/** For larger conversations the summaries are written separately, before the message is deleted. */
export const SUMMARIES_AT_ONCE = 60;

/** The first messages that one transaction can change together with this many other writes; at least one. */
export function takeBatch<One extends Message>(messages: One[], otherWrites = 0): One[] {
  const blocks = new Set<number>();
  const places = new Map<string, number>();
  const batch: One[] = [];
  let characters = 0;
  for (const message of messages) {
    const { messageId, content, html } = message;
    blocks.add(blockOf(messageId));
    const { name, summaries } = summariesOf(message);
    places.set(name, summaries);
    characters += content.length + html.length;
    const otherSummaries = [...places.values()].reduce((sum, count) => sum + count, -1);
    const writes = batch.length + blocks.size + otherSummaries + otherWrites;
    const isFull = writes >= WRITES_AT_ONCE || characters > CHARACTERS_AT_ONCE;
    if (isFull && batch.length > 0) break;
    batch.push(message);
  }
  return batch;
}

/** The place of a message, and the number of its summaries. */
function summariesOf(message: Message): { name: string; summaries: number } {
  if (message.kind === 'channel')
    return { name: `${message.channelId} ${toCanonical(message.topic)}`, summaries: 1 };
  const ids = message.recipients.map(({ id }) => id);
  return { name: `people ${ids}`, summaries: Math.min(ids.length, SUMMARIES_AT_ONCE) };
}
