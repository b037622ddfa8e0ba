import { BadRequest } from '#shared/domain/errors.ts';
import type { Key } from '#shared/table/keys/key.ts';
import type { Write } from '#shared/table/table.ts';

/** A counter of a kind of things, of an account or of the organization. */
export interface Room {
  key: Key;
  /** 0 before the first count. */
  count: number;
  /** Whether the counter is stored already. */
  isKept: boolean;
}

/** Counts one more; the write fails after a concurrent change. @throws BadRequest at the limit */
export function takeRoomWrite({ key, count, isKept }: Room, limit: number, refusal: string): Write {
  if (count >= limit) throw new BadRequest(refusal);
  return isKept
    ? { kind: 'update', key, add: { count: 1 }, condition: { belowOrAbsent: { count: limit } } }
    : { kind: 'put', item: { ...key, count: count + 1 }, condition: { exists: false } };
}

/** Subtracts one. An uncounted number stays uncounted, because the first count may include this item. */
export const giveRoomWrite = ({ key, isKept }: Room): Write =>
  isKept ? { kind: 'update', key, add: { count: -1 } } : { kind: 'check', key, condition: { exists: false } };
