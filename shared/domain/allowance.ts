import type { Key } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';

/**
 * How much somebody keeps of a kind of things that are all sent at once. Each thing counts in whole kilobytes, so that
 * there are never more things than kilobytes, and most edits leave the sum alone.
 */
export interface Allowance {
  kilobytes: number;
  /** Grows when everything is given up at once; things of an earlier generation are gone. */
  generation: number;
}

export const MAX_KILOBYTES = 1_000;

/** What a record counts for: the bytes that it takes in a reply. */
export const kilobytesOf = (record: object): number =>
  Math.ceil(Buffer.byteLength(JSON.stringify(record)) / 1_000);

/** Whether so much more may be kept; less always may. */
export const allows = ({ kilobytes }: Allowance, more: number): boolean =>
  more <= 0 || kilobytes + more <= MAX_KILOBYTES;

/** Counts so much more or less, unless there is no room by now or everything was given up meanwhile. */
export const countWrite = (key: Key, { generation }: Allowance, more: number): Write => ({
  kind: 'update',
  key,
  add: { kilobytes: more },
  condition: {
    belowOrAbsent: {
      generation: generation + 1,
      ...(more > 0 && { kilobytes: MAX_KILOBYTES - more + 1 }),
    },
  },
});

/** Gives up everything at once. */
export const giveUpWrite = (key: Key): Write => ({
  kind: 'update',
  key,
  set: { kilobytes: 0 },
  add: { generation: 1 },
});
