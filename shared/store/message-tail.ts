import type { Message } from '#shared/domain/messages/message.ts';
import { toEntry } from '#shared/log/entry.ts';
import { readCounter } from '#shared/log/read.ts';
import type { Services } from '#shared/runtime/services.ts';
import { blockOf, firstOfBlock, partitions, positionSortKey } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { toMessage } from './messages.ts';

/** The newest end of the log, read strongly. */
export interface Tail {
  /** The last position that was given to a writer. */
  end: number;
  /** Every message from here to the end is in `messages`, ascending. */
  from: number;
  messages: Message[];
}

const RECENT_MS = 10_000;
const PAGE_SIZES = [4, 8, 16];
const MAX_ENTRIES = 28;
const ENOUGH_BYTES = 16_000;

/**
 * The part of the log in which the indexes may still lack a message. They follow within a second as a rule, so only
 * entries of the last ten seconds count, and a quiet log costs one small page. In a busy one a strong read of every
 * recent entry would cost more than the page that is asked for: after 28 entries or 16 KB, which is 5 read units,
 * the indexes are trusted. Nothing is read for ranges that end below. What is read here is not read again.
 */
export async function readTail(services: Services, upTo: number): Promise<Tail> {
  const { table, clock } = services;
  const end = await readCounter(table);
  if (upTo < end - MAX_ENTRIES) return { end, from: end + 1, messages: [] };
  const recentMs = clock.nowMs() - RECENT_MS;
  const messages: Message[] = [];
  let from = end + 1;
  let bytes = 0;
  for (const limit of PAGE_SIZES) {
    const page = await readPage(table, from - 1, limit);
    messages.unshift(...page.messages);
    from = page.from;
    bytes += page.bytes;
    if (from <= 1 || page.oldestMs < recentMs || bytes > ENOUGH_BYTES) break;
  }
  return { end, from, messages };
}

/** The last entries up to a position, within its block. */
async function readPage(table: Table, upTo: number, limit: number) {
  const block = blockOf(upTo);
  const { items, more } = await table.page({
    partition: partitions.logBlock(block),
    to: positionSortKey(upTo),
    backwards: true,
    limit,
    consistent: true,
  });
  const oldest = items.at(-1);
  const entry = oldest && toEntry(oldest);
  return {
    messages: items
      .map(toMessage)
      .filter((message) => message !== undefined)
      .reverse(),
    from: more && entry ? entry.position : firstOfBlock(block),
    oldestMs: entry?.atMs ?? Number.POSITIVE_INFINITY,
    bytes: Buffer.byteLength(JSON.stringify(items)),
  };
}
