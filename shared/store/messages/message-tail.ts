import type { Message } from '#shared/domain/messages/message.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { toEntry } from '#shared/store/log/log-entry.ts';
import { blockOf, firstOfBlock, logPartitions, positionSortKey } from '#shared/table/keys/log.ts';
import type { Table } from '#shared/table/table.ts';
import { toMessage } from './messages.ts';

/** The end of the log, read strongly. */
export interface Tail {
  /** The last assigned position. */
  end: number;
  /** `messages` holds all messages from here to the end, ascending. */
  from: number;
  messages: Message[];
}

const RECENT_MS = 10_000;
const FIRST_PAGE = 4;
const SECOND_PAGE = 20;
const ENOUGH_BYTES = 10_000;

/**
 * The part of the log that the indexes may still lack. Indexes usually follow within a second, so only
 * entries of the last ten seconds count, and a quiet log costs one small page. In a busy log, strong reads of
 * everything recent would cost more than the requested page, so after two dozen entries or 10 KB, about 3
 * read units, the indexes are trusted. Ranges that end earlier cost nothing. Messages read here are not read
 * again.
 */
export async function readTail({ table, clock }: Services, upTo: number): Promise<Tail> {
  const end = await readCounter(table);
  if (upTo < end - FIRST_PAGE - SECOND_PAGE) return { end, from: end + 1, messages: [] };
  const first = await readPage(table, end, FIRST_PAGE);
  const room = Math.floor((ENOUGH_BYTES / first.bytes - 1) * FIRST_PAGE);
  const isEnough = first.from <= 1 || first.oldestMs < clock.nowMs() - RECENT_MS || room < 1;
  if (isEnough) return { end, from: first.from, messages: first.messages };
  const second = await readPage(table, first.from - 1, Math.min(SECOND_PAGE, room));
  return { end, from: second.from, messages: [...second.messages, ...first.messages] };
}

/** The last entries up to a position, within its block. */
async function readPage(table: Table, upTo: number, limit: number) {
  const block = blockOf(upTo);
  const { items, more } = await table.page({
    partition: logPartitions.block(block),
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
