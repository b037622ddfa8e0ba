import type { Message } from '#shared/domain/messages/message.ts';
import { intersection, union } from '#shared/domain/search/postings.ts';
import { runsOf, type SearchIndex, type Segment, segmentsAlong } from '#shared/domain/search/segments.ts';
import { type SearchTerm, TERMS_VERSION } from '#shared/domain/search/terms.ts';
import { listEntries, listToEnd } from '#shared/store/log/log.ts';
import { changedMessageIds } from '#shared/store/messages/changed-messages.ts';
import type { Stretch, WalkedPage } from '#shared/store/messages/partition-walk.ts';
import type { Table } from '#shared/table/table.ts';
import { walkPicked } from './picked-walk.ts';
import { findPostings, findSearchIndex } from './search-index.ts';

/** The search index, and the log entries after it. */
export interface OpenIndex {
  index: SearchIndex;
  /** Messages that are not indexed yet, ascending. */
  newer: Message[];
  /** Indexed messages that have changed since. */
  changedIds: number[];
}

/** An index further behind is not used: it is being rebuilt. */
const MAX_BEHIND = 20_000;
/** Batch sizes. They grow because most searches end in the first batch. */
const FIRST_LOOKUPS = 16;
const MAX_LOOKUPS = 100;
/** Reading a message on its own costs as much as reading this many in a row. */
const COST_OF_ONE = 5;

/** The index for a log that ends here; undefined when it is unusable. */
export async function openIndex(table: Table, end: number): Promise<OpenIndex | undefined> {
  const index = await findSearchIndex(table, { eventually: true });
  if (!index || index.version !== TERMS_VERSION || end - index.indexed > MAX_BEHIND) return undefined;
  if (index.segments.length === 0) return undefined;
  const entries = await listToEnd(listEntries, table, index.indexed + 1, end);
  const newer = entries.flatMap(({ position, message }) =>
    message ? [{ ...message, messageId: position }] : [],
  );
  return { index, newer, changedIds: changedMessageIds(entries) };
}

/**
 * The messages of a stretch that have all of the terms, and others that may not: those changed since they
 * were indexed, and those not indexed yet. No match is missing.
 * @throws RunGone when the index changed during the walk
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
  const picking = { isBackwards, costOfOne: COST_OF_ONE, changed };
  for await (const ids of walkCandidates(table, open, terms, stretch))
    yield* walkPicked(table, ids, picking, missing);
  if (!isBackwards && newer.length > 0) yield tail;
}

/**
 * The ids found by the index in a stretch, and the ids of changed messages: ascending, segment by segment in
 * walk order.
 */
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
      if (ids.length > 0) yield ids;
    }
  }
}

/** The segments whose lookups fit, at least one. */
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
