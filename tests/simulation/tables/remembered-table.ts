import type { Key } from '#shared/table/keys/key.ts';
import type { Item, KeyPage, Page, Query, Table, Write } from '#shared/table/table.ts';
import type { RecordedTable } from './recorded-table.ts';

/**
 * The table of an observer: reads come from the memory of the table, a hundred times as fast, and writes are made. Reads
 * of the processes, and the end of each run, compare that memory with the table.
 */
export class RememberedTable implements Table {
  readonly #table: RecordedTable;

  constructor(table: RecordedTable) {
    this.#table = table;
  }

  async find(key: Key): Promise<Item | undefined> {
    return this.#table.history.find(key, Infinity);
  }

  async findMany(keys: Key[]): Promise<Item[]> {
    return keys.map((key) => this.#table.history.find(key, Infinity)).filter((item) => item !== undefined);
  }

  async page(query: Query): Promise<Page> {
    const items = await this.list(query);
    return { items, more: items.length === query.limit };
  }

  async list(query: Query): Promise<Item[]> {
    return this.#table.history.list(query, () => Infinity);
  }

  write(write: Exclude<Write, { kind: 'check' }>): Promise<void> {
    return this.#table.write(write);
  }

  increment(key: Key, attribute: string, by?: number, set?: Item): Promise<number> {
    return this.#table.increment(key, attribute, by, set);
  }

  scanKeys(after?: Key): Promise<KeyPage> {
    return this.#table.scanKeys(after);
  }

  transact(writes: Write[], requestToken: string): Promise<void> {
    return this.#table.transact(writes, requestToken);
  }
}
