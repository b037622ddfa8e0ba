import { bucketOf, mergePostings, type Postings } from '#shared/domain/search/postings.ts';
import {
  beginning,
  bitsFor,
  ending,
  type Run,
  type SearchIndex,
  type Segment,
} from '#shared/domain/search/segments.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { Table } from '#shared/table/table.ts';
import { BucketTooLarge, readBuckets, storeSearchIndex, writeBuckets } from './search-index.ts';

/** The services of the indexer. */
export type IndexServices = Pick<Services, 'table' | 'clock' | 'config'>;

/** The index as seen by the one worker that may change it. */
export interface Work {
  services: IndexServices;
  index: SearchIndex;
}

/** Another worker has changed the index. */
export class IndexChanged extends Error {}

/** When a bucket is too large, the run is rewritten with this many more bits. */
const MORE_BITS = 2;
/** Runs are merged in this many steps, as a power of two, to limit the memory. */
const MERGE_BITS = 8;

/** Commits a change of the index. @throws IndexChanged */
export async function store(work: Work, next: SearchIndex): Promise<void> {
  const stored = await storeSearchIndex(work.services.table, next);
  if (!stored) throw new IndexChanged();
  work.index = stored;
}

/** The source of a run, and its approximate size in bytes. */
export interface Source {
  bytes: number;
  /** Writes the run and returns its size. @throws BucketTooLarge */
  write(run: Run): Promise<number>;
}

/**
 * Writes runs and then adds them to the index. The index lists them before they are written, so that after a
 * crash the next worker can delete them.
 */
export async function addRuns(
  work: Work,
  sources: Source[],
  change: (runs: Run[]) => { segments: Segment[]; indexed?: number; replaced?: Run[] },
): Promise<void> {
  const { clock } = work.services;
  for (let more = 0; ; more += MORE_BITS) {
    const runs = sources.map(({ bytes }, n): Run => {
      const runId = work.index.nextRunId + n;
      return { runId, bits: bitsFor(bytes) + more, bytes };
    });
    await store(work, beginning(work.index, runs, clock.nowMs()));
    try {
      const written: Run[] = [];
      for (const [n, source] of sources.entries()) {
        const run = runs[n] as Run;
        written.push({ ...run, bytes: await source.write(run) });
      }
      return await store(work, ending(work.index, change(written), clock.nowMs()));
    } catch (failure) {
      if (!(failure instanceof BucketTooLarge)) throw failure;
    }
  }
}

/** A run from postings in memory. */
export const fromPostings = ({ services }: Work, postings: Postings, bytes: number): Source => ({
  bytes,
  write: (run) => writeBuckets(services.table, run, postings),
});

/** A run that merges others. */
export const fromRuns = ({ services: { table } }: Work, runs: Run[]): Source => ({
  bytes: runs.reduce((sum, { bytes }) => sum + bytes, 0),
  async write(run) {
    const bits = Math.min(run.bits, MERGE_BITS);
    const readers = runs.map((candidate) => readerOf(table, candidate, bits));
    let bytes = 0;
    for (let step = 0; step < 2 ** bits; step++) {
      const postings = mergePostings(await Promise.all(readers.map((read) => read(step))));
      const count = 2 ** (run.bits - bits);
      bytes += await writeBuckets(table, run, postings, { first: step * count, count });
    }
    return bytes;
  },
});

/** Reads the part of a run for each step; the terms of a step share their first bits. */
function readerOf(table: Table, run: Run, bits: number): (step: number) => Promise<Postings> {
  let last: { first: number; postings: Postings } | undefined;
  return async (step) => {
    const isFiner = run.bits >= bits;
    const count = isFiner ? 2 ** (run.bits - bits) : 1;
    const first = isFiner ? step * count : Math.floor(step / 2 ** (bits - run.bits));
    if (last?.first !== first)
      last = { first, postings: mergePostings(await readBuckets(table, run, { first, count })) };
    if (isFiner) return last.postings;
    return new Map([...last.postings].filter(([term]) => bucketOf(term, bits) === step));
  };
}
