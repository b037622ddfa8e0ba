import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { noOpEntry, toItem } from '#shared/store/log/log-entry.ts';
import type { CapacityMeter } from '#shared/table/dynamo-table.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { unlessChanged } from '#shared/table/unless-changed.ts';
import type { Aside } from './aside.ts';

const COUNTER = keys.counter('log');
/** So many positions are reserved by one write. */
const RESERVED = 16;

const isCounter = ({ pk }: Key): boolean => pk === COUNTER.pk;

/**
 * A table that takes the positions of the log from memory: a process that alone appends to the log knows the next one. The
 * counter in the table is never behind, since positions are reserved there before they are taken. Those that the process did
 * not come to are filled when the next one begins, so that no position is taken twice and no reader waits at a hole.
 * @param aside each position counts the unit that an increment takes, so the counter is stored aside
 */
export function countInMemory(table: Table, meter: CapacityMeter, aside: Aside): Table {
  const counter = new LogCounter(table, aside);
  return {
    async find(key, options) {
      if (!isCounter(key)) return table.find(key, options);
      const position = await counter.read();
      meter({ read: options?.eventually ? 0.5 : 1, write: 0 });
      return position > 0 ? { ...COUNTER, position } : undefined;
    },
    async increment(key, attribute, by = 1, set) {
      if (!isCounter(key)) return table.increment(key, attribute, by, set);
      meter({ read: 0, write: 1 });
      return counter.take(by);
    },
    async write(write) {
      await table.write(write);
      if (write.kind === 'update' && isCounter(write.key)) counter.set(Number(write.set?.position));
    },
    findMany: (all, options) => table.findMany(all, options),
    page: (query) => table.page(query),
    list: (query) => table.list(query),
    transact: (writes, requestToken) => table.transact(writes, requestToken),
  };
}

class LogCounter {
  readonly #table: Table;
  readonly #aside: Aside;
  #reading: Promise<void> | undefined;
  #storing: Promise<void> | undefined;
  #position = 0;
  #reserved = 0;

  constructor(table: Table, aside: Aside) {
    this.#table = table;
    this.#aside = aside;
  }

  /** The last position that was taken. */
  async read(): Promise<number> {
    this.#reading ??= this.#aside(() => this.#load()).catch((failure) => {
      this.#reading = undefined;
      throw failure;
    });
    await this.#reading;
    return this.#position;
  }

  /** Takes the next positions; returns the last of them when it is reserved. */
  async take(count: number): Promise<number> {
    await this.read();
    this.#position += count;
    const position = this.#position;
    while (this.#reserved < position) {
      this.#storing ??= this.#aside(() => this.#reserve()).finally(() => {
        this.#storing = undefined;
      });
      await this.#storing;
    }
    return position;
  }

  /** The counter in the table is at a position, up to which all positions are taken. */
  set(position: number): void {
    this.#position = position;
    this.#reserved = position;
  }

  /** A write whose answer was lost may take effect late, and must not set the counter back. */
  async #reserve(): Promise<void> {
    const position = Math.ceil(this.#position / RESERVED) * RESERVED;
    const condition = { belowOrAbsent: { position } };
    await unlessChanged(() =>
      this.#table.write({ kind: 'update', key: COUNTER, set: { position }, condition }),
    );
    this.#reserved = position;
  }

  async #load(): Promise<void> {
    const reserved = Number((await this.#table.find(COUNTER))?.position ?? 0);
    const perhapsUnused = Array.from({ length: RESERVED }, (_, n) => reserved - n).filter((one) => one > 0);
    await mapConcurrently(perhapsUnused, (position) => this.#fill(position));
    this.set(reserved);
  }

  async #fill(position: number): Promise<void> {
    const item = toItem(noOpEntry(position, Date.now(), `unused-${position}`));
    await unlessChanged(() => this.#table.write({ kind: 'put', item, condition: { exists: false } }));
  }
}
