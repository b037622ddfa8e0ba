import type { Key } from './keys.ts';

/** The keys of the search index. */
export const searchKeys = {
  index: (): Key => ({ pk: 'SEARCH_INDEX', sk: 'SEARCH_INDEX' }),
  /** A part of the postings of a run. */
  bucket: (runId: number, bucket: number): Key => ({
    pk: `SEARCH_RUN#${runId}`,
    sk: String(bucket).padStart(BUCKET_DIGITS, '0'),
  }),
};

const BUCKET_DIGITS = 5;
