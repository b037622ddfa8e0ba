import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConsumedUnits } from '#shared/runtime/services.ts';
import type { CapacityMeter } from '#shared/table/dynamo-table.ts';
import { type Key, partitions } from '#shared/table/keys.ts';
import {
  ConditionFailed,
  type Item,
  type Page,
  type Query,
  type Table,
  TransactionCanceled,
  type Write,
} from '#shared/table/table.ts';
import { copyOf, frozen } from './copy-of.ts';

/** At 4 KB a unit, about 32 MB of items. */
const MOST_UNITS = 8_000;
/** All its readers get the same items, which are large and hold no sets. No reader changes them. */
const SHARED = partitions.blockSummaries();

interface Read {
  answer: Promise<unknown>;
  /** What a strongly consistent read takes; known once the answer is there. */
  units: number;
}

/** The reads of one partition of the table since its last write. */
class Partition {
  readonly reads = new Map<string, Read>();
  /** Writes under way. */
  writes = 0;
}

/**
 * A table of which this process is the only writer: what a partition answered stays in memory until the process
 * writes there again. Each read costs as many units as without, and answers with objects of its own.
 */
export function keepReads(
  connect: (meter: CapacityMeter) => Table,
  meter: CapacityMeter,
  mostUnits: number = MOST_UNITS,
): Table {
  return new KeptReads(connect, meter, mostUnits);
}

class KeptReads implements Table {
  readonly #table: Table;
  readonly #meter: CapacityMeter;
  readonly #mostUnits: number;
  readonly #consumed = new AsyncLocalStorage<ConsumedUnits>();
  /** In the order of their last use. */
  readonly #partitions = new Map<string, Partition>();
  #units = 0;

  constructor(connect: (meter: CapacityMeter) => Table, meter: CapacityMeter, mostUnits: number) {
    this.#meter = meter;
    this.#mostUnits = mostUnits;
    this.#table = connect((units) => {
      const consumed = this.#consumed.getStore();
      if (consumed) consumed.read += units.read;
      meter(units);
    });
  }

  find(key: Key, { eventually = false } = {}): Promise<Item | undefined> {
    const share = eventually ? 0.5 : 1;
    return this.#read(key.pk, key.sk, share, () => this.#table.find(key, { eventually }));
  }

  findMany(keys: Key[], options?: { eventually?: boolean }): Promise<Item[]> {
    return this.#table.findMany(keys, options);
  }

  page(query: Query): Promise<Page> {
    return this.#query('page', query, () => this.#table.page(query));
  }

  list(query: Query): Promise<Item[]> {
    return this.#query('list', query, () => this.#table.list(query));
  }

  write(write: Exclude<Write, { kind: 'check' }>): Promise<void> {
    return this.#write([write], () => this.#table.write(write));
  }

  increment(key: Key, attribute: string, by?: number, set?: Item): Promise<number> {
    return this.#write([{ key }], () => this.#table.increment(key, attribute, by, set));
  }

  transact(writes: Write[], requestToken: string): Promise<void> {
    return this.#write(writes, () => this.#table.transact(writes, requestToken));
  }

  #query<Answer>(how: string, query: Query, ask: () => Promise<Answer>): Promise<Answer> {
    if (query.index) return ask();
    // Queries of either consistency are apart, so each is kept with its own units.
    return this.#read(query.partition, `${how} ${JSON.stringify(query)}`, 1, ask);
  }

  async #read<Answer>(pk: string, name: string, share: number, ask: () => Promise<Answer>): Promise<Answer> {
    const partition = this.#use(pk);
    const give = pk === SHARED ? frozen : copyOf;
    const kept = partition.reads.get(name);
    if (kept) {
      const answer = (await kept.answer) as Answer;
      this.#meter({ read: kept.units * share, write: 0 });
      return give(answer);
    }
    const consumed: ConsumedUnits = { read: 0, write: 0 };
    const answer = this.#consumed.run(consumed, ask);
    // What is read while a write is under way may be over before the write is.
    if (partition.writes > 0) return answer;
    const read: Read = { answer, units: 0 };
    partition.reads.set(name, read);
    try {
      const found = await answer;
      read.units = consumed.read / share;
      if (partition.reads.get(name) === read) this.#units += read.units;
      this.#forgetOldest();
      return give(found);
    } catch (failure) {
      if (partition.reads.get(name) === read) partition.reads.delete(name);
      throw failure;
    }
  }

  async #write<Answer>(writes: (Write | { key: Key })[], act: () => Promise<Answer>): Promise<Answer> {
    const touched = new Set(writes.map((write) => ('item' in write ? write.item : write.key).pk));
    const partitions = new Map([...touched].map((pk) => [pk, this.#use(pk)]));
    for (const partition of partitions.values()) {
      partition.writes++;
      this.#forget(partition);
    }
    const end = () => {
      for (const [pk, partition] of partitions) if (--partition.writes === 0) this.#partitions.delete(pk);
    };
    try {
      const answer = await act();
      end();
      return answer;
    } catch (failure) {
      // A write without an answer may still happen, so nothing of its partitions is kept any more.
      if (isRefused(failure)) end();
      throw failure;
    }
  }

  #use(pk: string): Partition {
    const partition = this.#partitions.get(pk) ?? new Partition();
    this.#partitions.delete(pk);
    this.#partitions.set(pk, partition);
    return partition;
  }

  #forget({ reads }: Partition): void {
    for (const { units } of reads.values()) this.#units -= units;
    reads.clear();
  }

  #forgetOldest(): void {
    for (const [pk, partition] of this.#partitions) {
      if (this.#units <= this.#mostUnits) return;
      this.#forget(partition);
      if (partition.writes === 0) this.#partitions.delete(pk);
    }
  }
}

/** Whether a write certainly did not happen, and will not. */
const isRefused = (failure: unknown): boolean =>
  failure instanceof ConditionFailed || failure instanceof TransactionCanceled;
