import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Key } from '#shared/table/keys/key.ts';
import type { Item, KeyPage, Page, Query, Table, Write } from '#shared/table/table.ts';
import { openTestTable } from '#tests/harness/table/test-table.ts';
import type { Random } from '#tests/simulation/random.ts';
import type { Simulation } from '#tests/simulation/simulation.ts';
import { TableHistory } from './table-history.ts';

/** The real table of one run, with a memory of all that its items ever were. */
export class RecordedTable implements Table {
  readonly history = new TableHistory();
  /** Receives each new entry of the log, like a stream of the table. */
  onEntry: ((position: number) => void) | undefined;
  readonly #table: Table;
  readonly #simulation: Simulation;
  /** Tables remember the tokens of transactions, and runs of one seed use the same ones. */
  readonly #run = randomBytes(6).toString('hex');
  /** Calls that took effect. Sent again, they have none. */
  readonly #tokens = new Set<string>();

  /** An empty table. */
  static async create(simulation: Simulation): Promise<RecordedTable> {
    return new RecordedTable(await openTestTable(), simulation);
  }

  private constructor(table: Table, simulation: Simulation) {
    this.#table = table;
    this.#simulation = simulation;
  }

  find(key: Key, options?: { eventually?: boolean }): Promise<Item | undefined> {
    return this.#table.find(key, options);
  }

  findMany(keys: Key[], options?: { eventually?: boolean }): Promise<Item[]> {
    return this.#table.findMany(keys, options);
  }

  page(query: Query): Promise<Page> {
    return this.#table.page(query);
  }

  list(query: Query): Promise<Item[]> {
    return this.#table.list(query);
  }

  async write(write: Exclude<Write, { kind: 'check' }>): Promise<void> {
    await this.#table.write(write);
    this.#record([write]);
  }

  scanKeys(after?: Key): Promise<KeyPage> {
    return this.#table.scanKeys(after);
  }

  async increment(key: Key, attribute: string, by = 1, set: Item = {}): Promise<number> {
    const value = await this.#table.increment(key, attribute, by, set);
    this.#record([{ kind: 'update', key, set: { ...set, [attribute]: value } }]);
    return value;
  }

  async transact(writes: Write[], requestToken: string): Promise<void> {
    await this.#table.transact(writes, `${this.#run}${requestToken}`);
    if (!this.#tokens.has(requestToken)) this.#record(writes);
    this.#tokens.add(requestToken);
  }

  /** Deletes some of the items whose time is over, as a table does by itself: in any order, and late. Says how many. */
  async expire(random: Random): Promise<number> {
    const expired = this.history.listExpired(this.#simulation.nowMs).filter(() => random.chance(0.5));
    for (const { pk, sk } of expired) await this.write({ kind: 'delete', key: { pk, sk } });
    return expired.length;
  }

  /** The memory disagrees with the table. */
  async listMismatches(): Promise<string[]> {
    const wrong: string[] = [];
    for (const query of this.history.collections) {
      const remembered = this.history.list(query, () => Infinity);
      if (!isDeepStrictEqual(remembered, await this.list(query)))
        wrong.push(`The simulator remembers ${query.index ?? ''} ${query.partition} wrongly`);
    }
    return wrong;
  }

  #record(writes: Write[]): void {
    this.history.record(writes, this.#simulation.nowMs);
    for (const write of writes)
      if (write.kind === 'put' && write.item.pk.startsWith('LOG#')) this.onEntry?.(Number(write.item.sk));
  }
}
