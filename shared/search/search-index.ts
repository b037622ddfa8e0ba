import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  decodePostings,
  divide,
  encodePostings,
  findIds,
  type Postings,
} from '#shared/domain/search/postings.ts';
import { placeOf, type Run, type SearchIndex } from '#shared/domain/search/segments.ts';
import type { SearchTerm } from '#shared/domain/search/terms.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { messageKeys } from '#shared/table/keys/log.ts';
import { ConditionFailed, type Item, type Table } from '#shared/table/table.ts';

/** A run named by the index is missing, because it has been merged. */
export class RunGone extends Error {}

/** A bucket does not fit into an item. */
export class BucketTooLarge extends Error {}

/** An item is limited to 400 KB. */
const MAX_BUCKET_BYTES = 380_000;

/** The state of the index; undefined before the first indexing. */
export async function findSearchIndex(
  table: Table,
  options?: { eventually?: boolean },
): Promise<SearchIndex | undefined> {
  const item = await table.find(messageKeys.searchIndex(), options);
  return item && { ...JSON.parse(String(item.index)), revision: Number(item.revision) };
}

/** Stores the next state of the index; undefined if another writer was faster. */
export async function storeSearchIndex(table: Table, next: SearchIndex): Promise<SearchIndex | undefined> {
  const { revision, ...index } = next;
  const condition = revision === 0 ? { exists: false } : { equals: { revision } };
  try {
    const item = { ...messageKeys.searchIndex(), index: JSON.stringify(index), revision: revision + 1 };
    await table.write({ kind: 'put', item, condition });
    return { ...next, revision: revision + 1 };
  } catch (failure) {
    if (failure instanceof ConditionFailed) return undefined;
    throw failure;
  }
}

/**
 * Writes some or all buckets of a run and returns their size in bytes. Empty buckets are written too, so that
 * a missing one is recognized.
 * @throws BucketTooLarge
 */
export async function writeBuckets(
  table: Table,
  { runId, bits }: Run,
  postings: Postings,
  { first, count } = { first: 0, count: 2 ** bits },
): Promise<number> {
  const buckets = divide(postings, bits, first, count);
  const packed = buckets.map((postings, n) => ({ bucket: first + n, ...pack(postings) }));
  if (packed.some(({ postings }) => postings.length > MAX_BUCKET_BYTES)) throw new BucketTooLarge();
  await mapConcurrently(packed, ({ bucket, ...content }) =>
    table.write({ kind: 'put', item: { ...messageKeys.searchBucket(runId, bucket), ...content } }),
  );
  return packed.reduce((sum, { postings }) => sum + postings.length, 0);
}

/** The postings of some buckets of a run. @throws RunGone */
export async function readBuckets(
  table: Table,
  { runId }: Run,
  { first, count }: { first: number; count: number },
): Promise<Postings[]> {
  const wanted = Array.from({ length: count }, (_, n) => messageKeys.searchBucket(runId, first + n));
  return (await findAll(table, wanted)).map(({ base, postings }) =>
    decodePostings(unpack(postings), Number(base)),
  );
}

/** For each run the ids of each term. One read per bucket. @throws RunGone */
export async function findPostings(table: Table, runs: Run[], terms: SearchTerm[]): Promise<number[][][]> {
  const places = runs.flatMap((run) => terms.map((term) => placeOf(run, term)));
  const wanted = new Map(
    places.map(({ runId, bucket }) => [`${runId} ${bucket}`, messageKeys.searchBucket(runId, bucket)]),
  );
  const items = await findAll(table, [...wanted.values()]);
  const found = new Map(
    [...wanted.keys()].map((name, n) => {
      const { base, postings } = items[n] as Item;
      return [name, { base: Number(base), bytes: unpack(postings) }] as const;
    }),
  );
  return runs.map((run) =>
    terms.map((term) => {
      const { runId, bucket } = placeOf(run, term);
      const { base = 0, bytes = new Uint8Array() } = found.get(`${runId} ${bucket}`) ?? {};
      return findIds(bytes, base, term);
    }),
  );
}

/** Deletes all buckets of a run. */
export async function deleteRun(table: Table, { runId, bits }: Run): Promise<void> {
  const buckets = Array.from({ length: 2 ** bits }, (_, n) => n);
  await mapConcurrently(buckets, (bucket) =>
    table.write({ kind: 'delete', key: messageKeys.searchBucket(runId, bucket) }),
  );
}

/** Items in key order. They are immutable, so eventually consistent reads are right. @throws RunGone */
async function findAll(table: Table, wanted: Key[]): Promise<Item[]> {
  const nameOf = ({ pk, sk }: Item | Key): string => `${pk} ${sk}`;
  const found = new Map<string, Item>();
  const keep = (items: Item[]): void => {
    for (const item of items) found.set(nameOf(item), item);
  };
  keep(await table.findMany(wanted, { eventually: true }));
  const missing = wanted.filter((key) => !found.has(nameOf(key)));
  if (missing.length > 0) keep(await table.findMany(missing));
  return wanted.map((key) => {
    const item = found.get(nameOf(key));
    if (!item) throw new RunGone();
    return item;
  });
}

const pack = (postings: Postings): { base: number; postings: Uint8Array } => {
  let base = Number.POSITIVE_INFINITY;
  for (const [first = 0] of postings.values()) base = Math.min(base, first);
  const known = postings.size === 0 ? 0 : base;
  return { base: known, postings: deflateRawSync(encodePostings(postings, known)) };
};

const unpack = (postings: unknown): Uint8Array => inflateRawSync(postings as Uint8Array);
