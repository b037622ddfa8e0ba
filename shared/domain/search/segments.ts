import { bucketOf } from './postings.ts';
import { type SearchTerm, TERMS_VERSION } from './terms.ts';

/** Immutable postings in `2 ** bits` buckets. */
export interface Run {
  runId: number;
  bits: number;
  bytes: number;
}

/** The messages of a range of positions, as of when the run was written; patches hold later changes. */
export interface Segment {
  /** How many merges produced it. */
  level: number;
  from: number;
  to: number;
  run: Run;
  patches: Run[];
}

/** An obsolete run; a search that started earlier may still read it for a moment. */
interface Waste {
  run: Run;
  atMs: number;
}

/** The search index: consecutive segments, older ones larger. */
export interface SearchIndex {
  version: number;
  revision: number;
  /** The index started here: changes up to this position were already part of the texts. */
  begunAt: number;
  /** All messages and changes up to this position are indexed. */
  indexed: number;
  nextRunId: number;
  segments: Segment[];
  waste: Waste[];
  /** Runs that are being written. */
  writing?: { runs: Run[]; atMs: number };
}

/** Positions per segment, and how many segments of a level are merged into one of the next. */
export interface SegmentSizes {
  positions: number;
  fanout: number;
}

/** Another merge would rewrite every message and save a search little. */
const TOP_LEVEL = 2;
/** More patches would slow each search of the segment. */
const MAX_PATCHES = 8;
/** The size that one read unit covers. */
const BUCKET_BYTES = 8_192;
const MAX_BITS = 16;

/** A new, empty index that starts at a position of the log. */
export const emptyIndex = (begunAt: number): SearchIndex => ({
  version: TERMS_VERSION,
  revision: 0,
  begunAt,
  indexed: 0,
  nextRunId: 1,
  segments: [],
  waste: [],
});

/** An empty index that replaces this one. */
export const startedOver = (index: SearchIndex, begunAt: number, nowMs: number): SearchIndex => ({
  ...emptyIndex(begunAt),
  revision: index.revision,
  nextRunId: index.nextRunId,
  waste: [...index.waste, ...toWaste(index.segments.flatMap(runsOf), nowMs), ...unfinished(index, nowMs)],
});

export const runsOf = ({ run, patches }: Segment): Run[] => [run, ...patches];

/** Chooses the number of buckets, as a power of two, so that one takes about one read unit. */
export const bitsFor = (bytes: number): number =>
  Math.min(MAX_BITS, Math.max(0, Math.ceil(Math.log2(bytes / BUCKET_BYTES))));

/** Segments that should be merged; undefined when there are none. */
export function findMerge({ segments }: SearchIndex, { fanout }: SegmentSizes): Segment[] | undefined {
  for (let level = 0; level < TOP_LEVEL; level++) {
    const group = segments.filter((segment) => segment.level === level);
    if (group.length >= fanout) return group.slice(0, fanout);
  }
  return undefined;
}

/** A segment with many patches, which should be merged; undefined when there is none. */
export const findPatched = ({ segments }: SearchIndex): Segment | undefined =>
  segments.find(({ patches }) => patches.length > MAX_PATCHES);

/** The segment whose single run replaces several. */
export function mergedSegment(merged: Segment[], run: Run): Segment {
  const [first, last] = [merged[0] as Segment, merged.at(-1) as Segment];
  return { level: first.level + 1, from: first.from, to: last.to, run, patches: [] };
}

/** Registers runs before they are written; runs of an earlier writer that never finished become waste. */
export const beginning = (index: SearchIndex, runs: Run[], nowMs: number): SearchIndex => ({
  ...index,
  nextRunId: index.nextRunId + runs.length,
  waste: [...index.waste, ...unfinished(index, nowMs)],
  writing: { runs, atMs: nowMs },
});

/** Adds written runs to the index; the runs that they replace become waste. */
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

/** The segments that overlap a range, in the order of traversal. */
export function segmentsAlong(
  { segments }: SearchIndex,
  { from, to, isBackwards }: { from: number; to: number; isBackwards: boolean },
): Segment[] {
  const reached = segments.filter((segment) => segment.from <= to && from <= segment.to);
  return isBackwards ? reached.reverse() : reached;
}

/** The place of a term's postings in a run. */
export const placeOf = ({ runId, bits }: Run, term: SearchTerm): { runId: number; bucket: number } => ({
  runId,
  bucket: bucketOf(term, bits),
});
