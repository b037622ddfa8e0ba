import { isDeepStrictEqual } from 'node:util';
import type { CapacityMeter } from '#shared/table/dynamo-table.ts';
import type { Key } from '#shared/table/keys.ts';
import {
  ConditionFailed,
  type Item,
  type Page,
  type Query,
  type Table,
  TransactionCanceled,
  Unreachable,
  type Write,
} from '#shared/table/table.ts';
import type { Random } from '#tests/simulation/random.ts';
import { TableHistory } from '#tests/simulation/tables/table-history.ts';

const keyOf = (write: Write): Key => (write.kind === 'put' ? write.item : write.key);

/** What a read takes of a table that counts items. */
export const unitsOf = (items: number, eventually = false): number => (items + 1) * (eventually ? 0.5 : 1);

/** How often a call gets no answer. */
const FAULTS = 0.04;
const CANCELED = 0.05;

/**
 * A table in memory that takes a while on the way there and on the way back, and remembers each of its versions. A call now
 * and then gets no answer; a write may then take effect all the same, also later.
 */
export class SlowTable implements Table {
  readonly history = new TableHistory();
  /** Counts the writes that took effect. */
  version = 0;
  #isCalm = false;
  readonly #random: Random;
  readonly #meter: CapacityMeter;
  readonly #isSafe: (key: Key) => boolean;
  readonly #late: Promise<void>[] = [];

  /** @param isSafe whether calls about an item always get their answers */
  constructor(random: Random, meter: CapacityMeter, isSafe: (key: Key) => boolean) {
    this.#random = random;
    this.#meter = meter;
    this.#isSafe = isSafe;
  }

  find(key: Key, { eventually = false } = {}): Promise<Item | undefined> {
    return this.#read(key, eventually, () => {
      const item = this.history.find(key, this.version);
      return { answer: item, count: item ? 1 : 0 };
    });
  }

  findMany(keys: Key[], { eventually = false } = {}): Promise<Item[]> {
    return this.#read(keys[0], eventually, () => {
      const items = keys
        .map((key) => this.history.find(key, this.version))
        .filter((item) => item !== undefined);
      return { answer: items, count: items.length };
    });
  }

  page(query: Query): Promise<Page> {
    return this.#query(query, (items, all) => ({ items, more: items.length < all.length }));
  }

  list(query: Query): Promise<Item[]> {
    return this.#query(query, (items) => items);
  }

  write(write: Exclude<Write, { kind: 'check' }>): Promise<void> {
    return this.#write([write], () => {
      const existing = this.history.find(keyOf(write), this.version);
      if (!holds(write, existing)) throw new ConditionFailed(existing);
    });
  }

  async increment(key: Key, attribute: string, by = 1, set: Item = {}): Promise<number> {
    let value = 0;
    const write: Write = { kind: 'update', key, set: { ...set } };
    await this.#write([write], () => {
      value = Number(this.history.find(key, this.version)?.[attribute] ?? 0) + by;
      Object.assign(write.set ?? {}, { [attribute]: value });
    });
    return value;
  }

  transact(writes: Write[], _requestToken: string): Promise<void> {
    return this.#write(writes, () => {
      if (this.#random.chance(CANCELED)) throw new TransactionCanceled([], true);
      const failed = writes.flatMap((write, index) => {
        const existing = this.history.find(keyOf(write), this.version);
        return holds(write, existing) ? [] : [{ index, existing }];
      });
      if (failed.length > 0) throw new TransactionCanceled(failed, false);
    });
  }

  /** Answers everything from now on, and waits until the last write without an answer has taken effect. */
  async calm(): Promise<void> {
    this.#isCalm = true;
    await Promise.all(this.#late);
  }

  #query<Answer>(
    { limit, ...query }: Query,
    answer: (items: Item[], all: Item[]) => Answer,
  ): Promise<Answer> {
    return this.#read({ pk: query.partition, sk: '' }, !query.consistent, () => {
      const all = this.history.list(query, () => this.version);
      const items = all.slice(0, limit);
      return { answer: answer(items, all), count: items.length };
    });
  }

  async #read<Answer>(
    key: Key | undefined,
    eventually: boolean,
    read: () => { answer: Answer; count: number },
  ): Promise<Answer> {
    await this.#travel();
    const { answer, count } = read();
    await this.#travel();
    if (key && !this.#isSafe(key) && this.#isFault()) throw new Unreachable(new Error('no answer'));
    this.#meter({ read: unitsOf(count, eventually), write: 0 });
    return answer;
  }

  async #write(writes: Write[], check: () => void): Promise<void> {
    const isSafe = writes.map(keyOf).every(this.#isSafe);
    await this.#travel();
    const act = (): void => {
      check();
      this.history.record(writes, ++this.version);
    };
    if (isSafe || !this.#isFault()) act();
    else {
      this.#late.push(this.#actLate(act));
      await this.#travel();
      throw new Unreachable(new Error('no answer'));
    }
    await this.#travel();
  }

  async #actLate(act: () => void): Promise<void> {
    for (let n = this.#random.between(0, 5); n > 0; n--) await this.#travel();
    try {
      act();
    } catch (failure) {
      if (!(failure instanceof ConditionFailed || failure instanceof TransactionCanceled)) throw failure;
    }
  }

  #isFault(): boolean {
    return !this.#isCalm && this.#random.chance(FAULTS);
  }

  async #travel(): Promise<void> {
    for (let n = this.#random.pick([0, 3, 7, 30]); n > 0; n--) await null;
  }
}

/** Whether an item is as a write expects it. */
function holds({ condition = {} }: Write, item: Item | undefined): boolean {
  const { exists, equals = {}, belowOrAbsent = {} } = condition;
  return (
    (exists === undefined || exists === (item !== undefined)) &&
    Object.entries(equals).every(([name, value]) => isDeepStrictEqual(item?.[name], value)) &&
    Object.entries(belowOrAbsent).every(
      ([name, value]) => item?.[name] === undefined || Number(item[name]) < Number(value),
    )
  );
}
