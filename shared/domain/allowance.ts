import type { Key } from '#shared/table/keys/key.ts';
import type { Write } from '#shared/table/table.ts';

/**
 * A quota for things that are all sent to a client at once. Each thing counts in whole kilobytes, so there
 * are never more things than kilobytes, and most edits leave the sum unchanged.
 */
export interface Allowance {
  kilobytes: number;
  /** Increases when everything is deleted at once; things of earlier generations no longer exist. */
  generation: number;
  /** Increases with each write. */
  changes: number;
}

export const MAX_KILOBYTES = 1_000;

/** The size of a record in a reply. */
export const kilobytesOf = (record: object): number =>
  Math.ceil(Buffer.byteLength(JSON.stringify(record)) / 1_000);

/** Whether there is room for this many more kilobytes; shrinking is always allowed. */
export const allows = ({ kilobytes }: Allowance, more: number): boolean =>
  more <= 0 || kilobytes + more <= MAX_KILOBYTES;

/** Adds to or subtracts from the sum, unless the quota is full or everything was deleted in the meantime. */
export const countWrite = (key: Key, { generation }: Allowance, more: number): Write => ({
  kind: 'update',
  key,
  add: { kilobytes: more, changes: 1 },
  condition: {
    belowOrAbsent: {
      generation: generation + 1,
      ...(more > 0 && { kilobytes: MAX_KILOBYTES - more + 1 }),
    },
  },
});

/**
 * Deletes everything at once, unless something was written in the meantime: its event would follow that of the deletion, if
 * it took a later place in the log.
 */
export const giveUpWrite = (key: Key, { changes }: Allowance): Write => ({
  kind: 'update',
  key,
  set: { kilobytes: 0 },
  add: { generation: 1, changes: 1 },
  condition: { belowOrAbsent: { changes: changes + 1 } },
});
