import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Key } from '#shared/table/keys/key.ts';
import { tableDefinition } from '../definition.ts';
import {
  type CapacityMeter,
  ConditionFailed,
  type Item,
  type KeyPage,
  type Page,
  type Query,
  type Table,
  TransactionCanceled,
  type Write,
  type WriteOptions,
} from '../table.ts';
import { readUnits, writeUnits } from './capacity.ts';
import { CommitGroups } from './commit-groups.ts';
import { copyOf } from './copy-of.ts';
import { IN_MEMORY, openDatabase } from './database.ts';
import { type Decision, decide, isAllowed, type PreparedWrite, prepare } from './decide.ts';
import { type FileSync, openFileSync } from './file-sync.ts';
import { InvalidRequest } from './invalid-request.ts';
import {
  checkBatch,
  checkKey,
  checkTransaction,
  checkTransactionBytes,
  keyOf,
  MAX_KEYS_PER_BATCH,
} from './limits.ts';
import { partitionOf } from './query-sql.ts';
import { type Row, Rows } from './rows.ts';

export interface SqliteTableOptions {
  /** The file; in memory when absent. */
  path?: string | undefined;
  meter?: CapacityMeter | undefined;
  nowMs?: (() => number) | undefined;
  /** Called when the disk failed to store writes: the process must end, and the next one reads the file. */
  onLost?: ((failure: Error) => void) | undefined;
}

/** Reports that a partition of the table or of an index was changed. */
type Touch = (partition: string) => void;

/** Some rows of a query, and the last of them if there are more. */
interface RowPage {
  items: Item[];
  last: Item | undefined;
}

const MAX_PAGE_BYTES = 1024 * 1024;
/** How long DynamoDB remembers the token of a transaction. */
const TOKEN_LIFETIME_MS = 10 * 60 * 1_000;
/** After so long without a pause, the event loop gets a turn. */
const LONGEST_TURN_MS = 5;
const EXPIRED_PER_TURN = 200;

/**
 * The table in a file of SQLite, or in memory, within this process. It keeps the contract of DynamoDB with its conditions,
 * limits and capacity units. There is one copy of each item, so an eventually consistent read differs only in its cost.
 */
export class SqliteTable implements Table {
  readonly #database: DatabaseSync;
  readonly #rows: Rows;
  readonly #file: FileSync;
  readonly #groups: CommitGroups;
  readonly #meter: CapacityMeter;
  readonly #nowMs: () => number;
  #turnBeganMs: number | undefined;
  #isClosed = false;

  /** @throws UnusableFile */
  constructor(options: SqliteTableOptions = {}) {
    const { path = IN_MEMORY, meter = () => undefined, onLost = () => undefined, nowMs = Date.now } = options;
    this.#database = openDatabase(path);
    this.#rows = new Rows(this.#database);
    this.#file = openFileSync(path);
    this.#groups = new CommitGroups(this.#database, {
      onBegin: () => this.#rows.refresh(),
      sync: () => this.#file.sync(),
      onUndone: () => this.#rows.reset(),
      onLost,
    });
    this.#meter = meter;
    this.#nowMs = nowMs;
  }

  async find(key: Key, { eventually = false } = {}): Promise<Item | undefined> {
    checkKey(key);
    const row = await this.#read([key.pk], () => this.#rows.find(key));
    this.#meter({ read: readUnits(row?.bytes ?? 0, !eventually), write: 0 });
    return row && copyOf(row.item);
  }

  async findMany(keys: Key[], { eventually = false } = {}): Promise<Item[]> {
    const items: Item[] = [];
    for (let at = 0; at < keys.length; at += MAX_KEYS_PER_BATCH) {
      const batch = keys.slice(at, at + MAX_KEYS_PER_BATCH);
      checkBatch(batch);
      const partitions = batch.map(({ pk }) => pk);
      const rows = await this.#read(partitions, () => batch.map((key) => this.#rows.find(key)));
      const units = rows.map((row) => readUnits(row?.bytes ?? 0, !eventually));
      this.#meter({ read: sumOf(units), write: 0 });
      items.push(...rows.flatMap((row) => (row ? [copyOf(row.item)] : [])));
    }
    return items;
  }

  async page(query: Query): Promise<Page> {
    const { items, last } = await this.#page(query, undefined);
    return { items, more: last !== undefined };
  }

  async list(query: Query): Promise<Item[]> {
    const limit = query.limit ?? Number.POSITIVE_INFINITY;
    const items: Item[] = [];
    let last: Item | undefined;
    do {
      const page = await this.#page(query, last);
      items.push(...page.items);
      last = page.last;
    } while (last !== undefined && items.length < limit);
    return items.slice(0, limit);
  }

  async write(write: Exclude<Write, { kind: 'check' }>, options?: WriteOptions): Promise<void> {
    const prepared = prepare(write);
    const change = (touch: Touch): number => {
      const before = this.#rows.find(keyOf(write));
      if (!isAllowed(prepared, before)) throw new ConditionFailed(copyOf(before?.item));
      const decision = decide(prepared, before);
      this.#make(decision, touch);
      return writeUnits(decision, false);
    };
    await this.#change([write], change, options);
  }

  async scanKeys(after?: Key): Promise<KeyPage> {
    const { items, bytes, last } = await this.#read([], () => this.#readPage(this.#rows.scan(after)));
    this.#meter({ read: readUnits(bytes, true), write: 0 });
    return { keys: items.map(keyIn), next: last && keyIn(last) };
  }

  /** Does not wait for the disk: the number becomes durable before anything that is written after it. */
  async increment(key: Key, attribute: string, by = 1, set: Item = {}): Promise<number> {
    const prepared = prepare({ kind: 'update', key, set, add: { [attribute]: by } });
    if (this.#isClosed) await NEVER;
    let [number, units] = [0, 0];
    void this.#groups.write((touch) => {
      const decision = decide(prepared, this.#rows.find(key));
      this.#make(decision, touch);
      number = Number(decision.after?.item[attribute]);
      units = writeUnits(decision, false);
    });
    this.#meter({ read: 0, write: units });
    return number;
  }

  async transact(writes: Write[], requestToken: string): Promise<void> {
    checkTransaction(writes);
    const prepared = writes.map(prepare);
    const digest = digestOf(writes);
    await this.#change(writes, (touch) => {
      const known = this.#rows.findDigest(requestToken, this.#nowMs() - TOKEN_LIFETIME_MS);
      if (known === digest) return 0;
      if (known !== undefined) throw new InvalidRequest('The token belongs to another transaction');
      const decisions = this.#decideAll(prepared);
      this.#rows.keepDigest(requestToken, digest, this.#nowMs());
      for (const decision of decisions) this.#make(decision, touch);
      return sumOf(decisions.map((decision) => writeUnits(decision, true)));
    });
  }

  /** All items in the order of their keys, from after one on, page by page. */
  async *scan(after?: Key): AsyncGenerator<(Key & Item)[]> {
    let last = after;
    for (;;) {
      const { items } = await this.#read([], () => this.#readPage(this.#rows.scan(last)));
      if (items.length === 0) return;
      yield items as (Key & Item)[];
      last = items.at(-1) as Key & Item;
    }
  }

  /** The number of items. */
  count(): number {
    return this.#rows.count();
  }

  /** Deletes the items whose time is over, which DynamoDB does by itself, and forgets the tokens of old transactions. */
  async removeExpired(): Promise<void> {
    const nowMs = this.#nowMs();
    for (;;) {
      let deleted = 0;
      await this.#groups.write((touch) => {
        const partitions = this.#rows.deleteExpired(Math.floor(nowMs / 1_000), EXPIRED_PER_TURN);
        partitions.forEach(touch);
        deleted = partitions.length;
      });
      if (deleted < EXPIRED_PER_TURN) break;
      await nextTurn();
    }
    await this.#groups.write(() => this.#rows.forgetDigests(nowMs - TOKEN_LIFETIME_MS));
  }

  /**
   * Resolves when everything that was written is durable, and the file is closed. Calls from then on never settle: work in
   * the background ends with the service, without failures.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#groups.settle();
    await this.#file.close();
    this.#database.close();
  }

  /** @throws TransactionCanceled with every write whose condition does not hold */
  #decideAll(writes: PreparedWrite[]): Decision[] {
    const rows = writes.map(({ write }) => this.#rows.find(keyOf(write)));
    const refused = writes.map((write, index) => !isAllowed(write, rows[index]));
    if (refused.includes(true)) {
      const failed = rows.map((row, index) => ({ index, existing: copyOf(row?.item) }));
      throw new TransactionCanceled(
        failed.filter(({ index }) => refused[index]),
        false,
      );
    }
    const decisions = writes.map((write, index) => decide(write, rows[index]));
    checkTransactionBytes(sumOf(decisions.map(({ before, after }) => (after ?? before)?.bytes ?? 0)));
    return decisions;
  }

  #make({ write, before, after }: Decision, touch: Touch): void {
    if (write.kind === 'check') return;
    if (after) this.#rows.put(after.item, after, before);
    else if (before) this.#rows.delete(before);
    touch(keyOf(write).pk);
    for (const { name, partitionKey } of tableDefinition.indexes)
      for (const item of [before?.item, after?.item])
        if (item?.[partitionKey] !== undefined)
          touch(partitionOf({ index: name, partition: item[partitionKey] as string }));
  }

  /** Makes a change, again if it was refused because of something that then failed to be committed. */
  async #change(writes: Write[], change: (touch: Touch) => number, options?: WriteOptions): Promise<void> {
    for (;;) {
      if (this.#isClosed) await NEVER;
      let units = 0;
      try {
        await this.#groups.write((touch) => {
          units = change(touch);
        }, options);
        this.#meter({ read: 0, write: units });
        return;
      } catch (failure) {
        if (!isRefusal(failure) || (await this.#isDurable(writes.map((write) => keyOf(write).pk))))
          throw failure;
      }
    }
  }

  /** Reads, again if it saw something that then failed to be committed. */
  #read<Found>(partitions: string[], read: () => Found): Found | Promise<Found> {
    if (this.#isClosed) return NEVER;
    if (this.#isTurnLong()) return nextTurn().then(() => this.#read(partitions, read));
    const found = this.#groups.read(read);
    const pending = this.#groups.pending(partitions);
    if (!pending) return found;
    return pending.then(
      () => found,
      () => this.#read(partitions, read),
    );
  }

  async #page(query: Query, after: Item | undefined): Promise<RowPage> {
    const page = await this.#read([partitionOf(query)], () =>
      this.#readPage(this.#rows.query(query, after), query.limit),
    );
    this.#meter({ read: readUnits(page.bytes, query.consistent === true), write: 0 });
    const { attributes } = query;
    return attributes ? { ...page, items: page.items.map((item) => pick(item, attributes)) } : page;
  }

  #readPage(rows: Iterable<Row>, limit?: number): RowPage & { bytes: number } {
    const items: Item[] = [];
    let bytes = 0;
    for (const row of rows) {
      items.push(row.item);
      bytes += row.bytes;
      if (items.length === limit || bytes >= MAX_PAGE_BYTES) return { items, bytes, last: row.item };
    }
    return { items, bytes, last: undefined };
  }

  /** False if writes to the partitions failed to be committed, so that reads of them are invalid. */
  async #isDurable(partitions: string[]): Promise<boolean> {
    const pending = this.#groups.pending(partitions);
    if (!pending) return true;
    return pending.then(
      () => true,
      () => false,
    );
  }

  /** Reads answer at once: a caller with many of them would keep all others waiting. */
  #isTurnLong(): boolean {
    if (this.#turnBeganMs !== undefined) return performance.now() - this.#turnBeganMs > LONGEST_TURN_MS;
    this.#turnBeganMs = performance.now();
    this.#rows.refresh();
    setImmediate(() => {
      this.#turnBeganMs = undefined;
    });
    return false;
  }
}

const keyIn = (item: Item): Key => ({ pk: String(item.pk), sk: String(item.sk) });

const NEVER = new Promise<never>(() => {});

const isRefusal = (failure: unknown): boolean =>
  failure instanceof ConditionFailed || failure instanceof TransactionCanceled;

/** Distinguishes the transactions of one token. */
const digestOf = (writes: Write[]): string =>
  hash(
    'sha1',
    JSON.stringify(writes.map((write) => [write.kind, keyOf(write).pk, keyOf(write).sk])),
    'base64',
  );

const pick = (item: Item, names: string[]): Item =>
  Object.fromEntries(names.filter((name) => item[name] !== undefined).map((name) => [name, item[name]]));

const sumOf = (numbers: number[]): number => numbers.reduce((sum, number) => sum + number, 0);
