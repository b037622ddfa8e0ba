import type { IndexName } from './definition.ts';
import type { Key } from './keys/key.ts';

export type Item = Record<string, unknown>;

/** The condition of a write; all given parts must hold. */
export interface Condition {
  /** The item must exist (true) or must not (false). */
  exists?: boolean;
  equals?: Record<string, unknown>;
  /** The attribute must be absent, or differ from the value. */
  differs?: Record<string, unknown>;
  /** The attribute must be absent or below the value. */
  belowOrAbsent?: Record<string, number | string>;
  above?: Record<string, number>;
  /** The attributes must be absent. */
  absent?: string[];
}

/** A write as data: the domain builds writes, and `commit` or the table executes them. */
export type Write =
  | { kind: 'put'; item: Key & Item; condition?: Condition }
  | {
      kind: 'update';
      key: Key;
      set?: Item;
      remove?: string[];
      /** Adds to numbers and to sets of numbers; both are created when absent. */
      add?: Record<string, number | Set<number>>;
      /** Removes members from sets of numbers. */
      take?: Record<string, Set<number>>;
      condition?: Condition;
    }
  | { kind: 'delete'; key: Key; condition?: Condition }
  | { kind: 'check'; key: Key; condition: Condition };

export interface Query {
  index?: IndexName;
  partition: string;
  /** Inclusive bounds of the sort key. */
  from?: string | number;
  to?: string | number;
  prefix?: string;
  /** Descending order of the sort key. */
  backwards?: boolean;
  limit?: number;
  /** Strongly consistent; not available for indexes. */
  consistent?: boolean;
  /** Returns only these attributes; the cost of the read is the same. */
  attributes?: string[];
}

export interface WriteOptions {
  /**
   * The caller can do without the write after a failure of the power: it is derived, or soon written again. A table that
   * would have to wait for its disk then does not.
   */
  mayBeLost?: boolean;
}

export interface Page {
  items: Item[];
  /** More items exist within the bounds. */
  more: boolean;
}

export interface KeyPage {
  keys: Key[];
  /** The place after which the next page begins; absent after the last one. */
  next?: Key | undefined;
}

/** Receives the capacity units of every call. */
export type CapacityMeter = (units: { read: number; write: number }) => void;

/** The DynamoDB operations that the service needs. Reads are strongly consistent by default. */
export interface Table {
  find(key: Key, options?: { eventually?: boolean }): Promise<Item | undefined>;
  /**
   * Items in no particular order; keys without an item are left out. Sends at most 100 keys per call, in as
   * many calls as needed.
   */
  findMany(keys: Key[], options?: { eventually?: boolean }): Promise<Item[]>;
  /** One page, at most 1 MB or `limit` items. */
  page(query: Query): Promise<Page>;
  /** All items within the bounds, page by page. */
  list(query: Query): Promise<Item[]>;
  /** @throws ConditionFailed with the existing item, or TransactionCanceled for a conflict */
  write(write: Exclude<Write, { kind: 'check' }>, options?: WriteOptions): Promise<void>;
  /** One page of the keys of all items, in any order, from after one of them on. Strongly consistent. */
  scanKeys(after?: Key): Promise<KeyPage>;
  /**
   * Adds to a number, sets other attributes, and returns the new number. Not idempotent: a retried request
   * may skip a number.
   */
  increment(key: Key, attribute: string, by?: number, set?: Item): Promise<number>;
  /** All writes or none, at most 100. @throws TransactionCanceled */
  transact(writes: Write[], requestToken: string): Promise<void>;
}

/** The condition of a write did not hold. */
export class ConditionFailed extends Error {
  readonly existing: Item | undefined;
  constructor(existing: Item | undefined) {
    super('A conditional write did not happen');
    this.existing = existing;
  }
}

/** A transaction was canceled. `failed` lists the writes whose condition did not hold. */
export class TransactionCanceled extends Error {
  readonly failed: { index: number; existing: Item | undefined }[];
  /** A concurrent write on one of the items: the same transaction may succeed now. */
  readonly isConflict: boolean;
  constructor(failed: { index: number; existing: Item | undefined }[], isConflict: boolean) {
    super(`A transaction did not happen (${isConflict ? 'conflict' : 'condition'})`);
    this.failed = failed;
    this.isConflict = isConflict;
  }
}

/** The table or a partition has no capacity for the moment. */
export class Throttled extends Error {}

/** There is no room on the disk of the table; the write did not happen. */
export class StorageFull extends Error {
  override name = 'StorageFull';
  constructor() {
    super('The disk of the table is full');
  }
}

/** The table did not answer any attempt: the write may or may not have happened. */
export class Unreachable extends Error {
  constructor(cause: Error) {
    super(`The table does not answer: ${cause.message}`, { cause });
  }
}

/**
 * The record that an item holds. Only this service writes the table, and each item from a record of its kind, so the
 * attributes are not checked when it is read.
 */
export const recordOf = <Stored>(item: Item): Stored => item as Stored;

/** Ignores the failure of a conditional write that is then no longer needed. */
export async function unlessChanged(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (failure) {
    if (!(failure instanceof ConditionFailed)) throw failure;
  }
}
