import type { IndexName } from './definition.ts';
import type { Key } from './keys.ts';

export type Item = Record<string, unknown>;

/** What must hold for a write to happen; every part that is given must hold. */
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

/** One write, as data: the domain builds these, and `commit` or the table makes them true. */
export type Write =
  | { kind: 'put'; item: Key & Item; condition?: Condition }
  | {
      kind: 'update';
      key: Key;
      set?: Item;
      remove?: string[];
      /** Adds to numbers and to sets of numbers; both are created when absent. */
      add?: Record<string, number | Set<number>>;
      /** Takes members out of sets of numbers. */
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
  /** Strongly consistent; indexes cannot be read so. */
  consistent?: boolean;
  /** Only these attributes are sent; what is read costs the same. */
  attributes?: string[];
}

export interface Page {
  items: Item[];
  /** More items exist within the bounds. */
  more: boolean;
}

/** The verbs that the service needs of DynamoDB. Reads are strongly consistent unless they say otherwise. */
export interface Table {
  find(key: Key, options?: { eventually?: boolean }): Promise<Item | undefined>;
  /** Items in no particular order; keys without an item are left out. At most 100 keys a call are sent, in as many calls as needed. */
  findMany(keys: Key[], options?: { eventually?: boolean }): Promise<Item[]>;
  /** One page, at most 1 MB or `limit` items. */
  page(query: Query): Promise<Page>;
  /** All items within the bounds, page by page. */
  list(query: Query): Promise<Item[]>;
  /** @throws ConditionFailed with the item that stood in the way, or TransactionCanceled for a conflict */
  write(write: Exclude<Write, { kind: 'check' }>): Promise<void>;
  /**
   * Adds to a number, sets what else is given, and returns the new value of the number. Not idempotent: a retried
   * request may burn a number.
   */
  increment(key: Key, attribute: string, by?: number, set?: Item): Promise<number>;
  /** All writes or none, at most 100. @throws TransactionCanceled */
  transact(writes: Write[], requestToken: string): Promise<void>;
}

/** A conditional write did not happen because its condition did not hold. */
export class ConditionFailed extends Error {
  readonly existing: Item | undefined;
  constructor(existing: Item | undefined) {
    super('A conditional write did not happen');
    this.existing = existing;
  }
}

/** A transaction did not happen. `failed` lists the writes whose condition did not hold. */
export class TransactionCanceled extends Error {
  readonly failed: { index: number; existing: Item | undefined }[];
  /** Another write was under way on one of the items: the same transaction may succeed now. */
  readonly isConflict: boolean;
  constructor(failed: { index: number; existing: Item | undefined }[], isConflict: boolean) {
    super(`A transaction did not happen (${isConflict ? 'conflict' : 'condition'})`);
    this.failed = failed;
    this.isConflict = isConflict;
  }
}

/** The table, or a partition of it, has no capacity left for the moment. */
export class Throttled extends Error {}

/** The table did not answer, however often it was asked: what was to be written may be written or not. */
export class Unreachable extends Error {
  constructor(cause: Error) {
    super(`The table does not answer: ${cause.message}`, { cause });
  }
}
