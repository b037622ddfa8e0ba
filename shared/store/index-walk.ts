import type { Message } from '#shared/domain/messages/message.ts';
import { intersection, union } from '#shared/domain/search/postings.ts';
import { runsOf, type SearchIndex, type Segment, segmentsAlong } from '#shared/domain/search/segments.ts';
import { type SearchTerm, TERMS_VERSION } from '#shared/domain/search/terms.ts';
import type { Table } from '#shared/table/table.ts';
import { changedMessageIds } from './changed-messages.ts';
import { listEntries } from './log.ts';
import type { LogEntry } from './log-entry.ts';
import { listMessagesById } from './messages.ts';
import type { Stretch, WalkedPage } from './partition-walk.ts';
import { findPostings, findSearchIndex } from './search-index.ts';

/** The search index, and what the log gained since. */
export interface OpenIndex {
  index: SearchIndex;
  /** The messages that are not in the index yet, ascending. */
  newer: Message[];
  /** Messages in the index that are not any more what it knows of them. */
  changedIds: number[];
}

/** Where the index is further behind it is not asked: as long as it is built anew. */
const MAX_BEHIND = 20_000;
/** The few newest entries are likely not to have reached every replica. */
const STRONG_ENTRIES = 20;
/** So much is looked up at once: little at first, since much is found soon. */
const FIRST_LOOKUPS = 16;
const MAX_LOOKUPS = 100;
const MIN_PAGE = 10;
const MAX_PAGE = 100;
/** A message that is read on its own takes as much as so many in a row. */
const COST_OF_ONE = 5;

/** The index as far as it goes, for a log that ends somewhere; undefined where it is of no use. */
export async function openIndex(table: Table, end: number): Promise<OpenIndex | undefined> {
  const index = await findSearchIndex(table, { eventually: true });
  if (!index || index.version !== TERMS_VERSION || end - index.indexed > MAX_BEHIND) return undefined;
  if (index.segments.length === 0) return undefined;
  const entries = await listNewEntries(table, index.indexed + 1, end);
  const newer = entries.flatMap(({ position, message }) =>
    message ? [{ ...message, messageId: position }] : [],
  );
  return { index, newer, changedIds: changedMessageIds(entries) };
}

/** The entries of a range that ends near the end of the log, none of which a lagging replica keeps back. */
async function listNewEntries(table: Table, from: number, to: number): Promise<LogEntry[]> {
  const split = Math.max(from - 1, to - STRONG_ENTRIES);
  const [older, newest] = await Promise.all([
    listEntries(table, from, split, { eventually: true }),
    listEntries(table, split + 1, to),
  ]);
  const isGapless = older.length > split - from;
  return [...(isGapless ? older : await listEntries(table, from, split)), ...newest];
}

/**
 * The messages of a stretch that have all of some terms, and some that have not: whatever changed since they were
 * indexed, and what the index has not reached yet. None that has them is missing.
 * @throws RunGone where the index changed underneath
 */
export async function* walkIndex(
  table: Table,
  open: OpenIndex,
  terms: SearchTerm[],
  stretch: Stretch,
  missing: () => number,
): AsyncGenerator<WalkedPage> {
  const { isBackwards } = stretch;
  const newer = open.newer.filter(({ messageId }) => isWithin(messageId, stretch));
  const tail: WalkedPage = {
    messages: isBackwards ? newer.reverse() : newer,
    examined: newer.length,
    isSparse: true,
  };
  if (isBackwards && newer.length > 0) yield tail;
  const changed = new Set(open.changedIds);
  for await (const ids of walkCandidates(table, open, terms, stretch)) {
    while (ids.length > 0) {
      const batch = ids.splice(0, Math.min(MAX_PAGE, Math.max(missing(), MIN_PAGE)));
      const messages = await listMessagesById(table, batch, {
        eventually: !batch.some((id) => changed.has(id)),
      });
      if (isBackwards) messages.reverse();
      yield { messages, examined: COST_OF_ONE * batch.length, isSparse: true };
    }
  }
  if (!isBackwards && newer.length > 0) yield tail;
}

/** The ids that the index finds in a stretch, and those of changed messages, segment by segment in the order of the walk. */
async function* walkCandidates(
  table: Table,
  { index, changedIds }: OpenIndex,
  terms: SearchTerm[],
  stretch: Stretch,
): AsyncGenerator<number[]> {
  const waiting = segmentsAlong(index, stretch);
  for (let room = FIRST_LOOKUPS; waiting.length > 0; room = Math.min(MAX_LOOKUPS, 2 * room)) {
    const segments = takeSegments(waiting, terms.length, room);
    const runs = segments.flatMap(runsOf);
    const found = await findPostings(table, runs, terms);
    for (const segment of segments) {
      const postings = found.splice(0, runsOf(segment).length);
      const matching = intersection(terms.map((_, n) => union(postings.map((ids) => ids[n] ?? []))));
      const changed = changedIds.filter((id) => segment.from <= id && id <= segment.to);
      const ids = union([matching, changed]).filter((id) => isWithin(id, stretch));
      if (ids.length > 0) yield stretch.isBackwards ? ids.toReversed() : ids;
    }
  }
}

/** The segments whose lookups there is room for, one at least. */
function takeSegments(waiting: Segment[], terms: number, room: number): Segment[] {
  const taken: Segment[] = [];
  let lookups = 0;
  do {
    const segment = waiting.shift() as Segment;
    taken.push(segment);
    lookups += terms * runsOf(segment).length;
  } while (lookups < room && waiting.length > 0);
  return taken;
}

const isWithin = (id: number, { from, to }: Stretch): boolean => from <= id && id <= to;
