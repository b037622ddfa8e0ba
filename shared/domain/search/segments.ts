import { bucketOf } from './postings.ts';
import { type SearchTerm, TERMS_VERSION } from './terms.ts';

/** Postings as they were written once, in two to the power of `bits` buckets. A run never changes. */
export interface Run {
  runId: number;
  bits: number;
  bytes: number;
}

/** The messages from one position to another, as they were when the run was written; patches hold those that changed since. */
export interface Segment {
  /** How often segments were merged for it. */
  level: number;
  from: number;
  to: number;
  run: Run;
  patches: Run[];
}

/** A run that nobody needs any more; a search that began before may still read it for a moment. */
interface Waste {
  run: Run;
  atMs: number;
}

/** What there is of the search index: segments that follow each other, the older ones larger. */
export interface SearchIndex {
  version: number;
  revision: number;
  /** Whatever changed up to here had its last text when the index was begun. */
  begunAt: number;
  /** All messages and changes of messages up to here are in the index. */
  indexed: number;
  nextRunId: number;
  segments: Segment[];
  waste: Waste[];
  /** Runs that somebody writes at the moment. */
  writing?: { runs: Run[]; atMs: number };
}

/** Segments of so many positions; so many of a level become one of the next. */
export interface SegmentSizes {
  positions: number;
  fanout: number;
}

/** Merging once more would cost a write of each message, and spare a search little. */
const TOP_LEVEL = 2;
/** More would make each search of the segment read more than they are worth. */
const MAX_PATCHES = 8;
/** What one read unit reaches. */
const BUCKET_BYTES = 8_192;
const MAX_BITS = 16;

/** An index of nothing yet, whose messages are as they were at a position of the log or later. */
export const emptyIndex = (begunAt: number): SearchIndex => ({
  version: TERMS_VERSION,
  revision: 0,
  begunAt,
  indexed: 0,
  nextRunId: 1,
  segments: [],
  waste: [],
});

/** The same index without anything in it. */
export const startedOver = (index: SearchIndex, begunAt: number, nowMs: number): SearchIndex => ({
  ...emptyIndex(begunAt),
  revision: index.revision,
  nextRunId: index.nextRunId,
  waste: [...index.waste, ...toWaste(index.segments.flatMap(runsOf), nowMs), ...unfinished(index, nowMs)],
});

export const runsOf = ({ run, patches }: Segment): Run[] => [run, ...patches];

/** In so many buckets, as a power of two, one of them is about a read unit. */
export const bitsFor = (bytes: number): number =>
  Math.min(MAX_BITS, Math.max(0, Math.ceil(Math.log2(bytes / BUCKET_BYTES))));

/** Segments that are to become one; undefined where none are. */
export function findMerge({ segments }: SearchIndex, { fanout }: SegmentSizes): Segment[] | undefined {
  for (let level = 0; level < TOP_LEVEL; level++) {
    const group = segments.filter((segment) => segment.level === level);
    if (group.length >= fanout) return group.slice(0, fanout);
  }
  return undefined;
}

/** A segment whose patches are to become one; undefined where none has many. */
export const findPatched = ({ segments }: SearchIndex): Segment | undefined =>
  segments.find(({ patches }) => patches.length > MAX_PATCHES);

/** The segment that one run takes the place of others for. */
export function mergedSegment(merged: Segment[], run: Run): Segment {
  const [first, last] = [merged[0] as Segment, merged.at(-1) as Segment];
  return { level: first.level + 1, from: first.from, to: last.to, run, patches: [] };
}

/** Somebody begins to write runs; those of whoever began before, and never ended, are waste. */
export const beginning = (index: SearchIndex, runs: Run[], nowMs: number): SearchIndex => ({
  ...index,
  nextRunId: index.nextRunId + runs.length,
  waste: [...index.waste, ...unfinished(index, nowMs)],
  writing: { runs, atMs: nowMs },
});

/** What was written stands in the index, and runs that it replaces are waste. */
export function ending(
  { writing: _written, ...index }: SearchIndex,
  change: { segments: Segment[]; indexed?: number; replaced?: Run[] },
  nowMs: number,
): SearchIndex {
  const { segments, indexed = index.indexed, replaced = [] } = change;
  return { ...index, segments, indexed, waste: [...index.waste, ...toWaste(replaced, nowMs)] };
}

const unfinished = ({ writing }: SearchIndex, nowMs: number): Waste[] => toWaste(writing?.runs ?? [], nowMs);
const toWaste = (runs: Run[], atMs: number): Waste[] => runs.map((run) => ({ run, atMs }));

/** The segments that reach into a range, in the order of a walk through it. */
export function segmentsAlong(
  { segments }: SearchIndex,
  { from, to, isBackwards }: { from: number; to: number; isBackwards: boolean },
): Segment[] {
  const reached = segments.filter((segment) => segment.from <= to && from <= segment.to);
  return isBackwards ? reached.reverse() : reached;
}

/** Where the postings of a term lie in a run. */
export const placeOf = ({ runId, bits }: Run, term: SearchTerm): { runId: number; bucket: number } => ({
  runId,
  bucket: bucketOf(term, bits),
});
