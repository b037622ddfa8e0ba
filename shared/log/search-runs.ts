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
import { BucketTooLarge, readBuckets, storeSearchIndex, writeBuckets } from '#shared/store/search-index.ts';
import type { Table } from '#shared/table/table.ts';

/** All that keeping the index takes. */
export type IndexServices = Pick<Services, 'table' | 'clock' | 'config'>;

/** The index as one worker sees it, who alone may change it until somebody else does. */
export interface Work {
  services: IndexServices;
  index: SearchIndex;
}

/** Somebody else changed the index meanwhile. */
export class Overtaken extends Error {}

/** Where one bucket of a run became too large, it takes so many times more of them. */
const MORE_BITS = 2;
/** Runs are merged in so many steps, as a power of two, so that little of them is in memory at once. */
const MERGE_BITS = 8;

/** Makes a change of the index true. @throws Overtaken */
export async function store(work: Work, next: SearchIndex): Promise<void> {
  const stored = await storeSearchIndex(work.services.table, next);
  if (!stored) throw new Overtaken();
  work.index = stored;
}

/** What a run is made of, and about how many bytes it takes. */
export interface Source {
  bytes: number;
  /** Writes the run, and says how many bytes it took. @throws BucketTooLarge */
  write(run: Run): Promise<number>;
}

/**
 * Writes runs, and then puts them into the index. Before that the index names them, so that whoever comes after a crash
 * knows what to take away.
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

/** A run of postings in memory. */
export const fromPostings = ({ services }: Work, postings: Postings, bytes: number): Source => ({
  bytes,
  write: (run) => writeBuckets(services.table, run, postings),
});

/** A run of all that others hold. */
export const fromRuns = ({ services: { table } }: Work, runs: Run[]): Source => ({
  bytes: runs.reduce((sum, { bytes }) => sum + bytes, 0),
  async write(run) {
    const bits = Math.min(run.bits, MERGE_BITS);
    const readers = runs.map((one) => readerOf(table, one, bits));
    let bytes = 0;
    for (let step = 0; step < 2 ** bits; step++) {
      const postings = mergePostings(await Promise.all(readers.map((read) => read(step))));
      const count = 2 ** (run.bits - bits);
      bytes += await writeBuckets(table, run, postings, { first: step * count, count });
    }
    return bytes;
  },
});

/** Reads what of a run belongs to each step, where the terms of a step begin with the same bits. */
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
