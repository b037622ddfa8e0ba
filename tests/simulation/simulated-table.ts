import type { Key } from '#shared/table/keys.ts';
import type { Item, Page, Query, Table, Write } from '#shared/table/table.ts';
import type { CallKind, Fault } from './faults.ts';
import type { Process, Simulation } from './simulation.ts';
import type { TableHistory } from './table-history.ts';

/** A read is at most this far behind. */
const MAX_LAG_MS = 2_000;

type SingleWrite = Exclude<Write, { kind: 'check' }>;

/** The real table as one process sees it: every call waits for its turn and may go wrong. */
export class SimulatedTable implements Table {
  readonly #simulation: Simulation;
  readonly #process: Process;
  readonly #table: Table;
  readonly #history: TableHistory;

  constructor(simulation: Simulation, process: Process, table: Table, history: TableHistory) {
    this.#simulation = simulation;
    this.#process = process;
    this.#table = table;
    this.#history = history;
  }

  find(key: Key, options?: { eventually?: boolean }): Promise<Item | undefined> {
    return this.#call('read', `find ${key.pk} ${key.sk}`, () => this.#table.find(key, options));
  }

  findMany(keys: Key[], options?: { eventually?: boolean }): Promise<Item[]> {
    return this.#call('read', `findMany ${keys.length}`, () => this.#table.findMany(keys, options));
  }

  page(query: Query): Promise<Page> {
    return this.#call('read', `page ${describe(query)}`, async (fault) => {
      const { items, more } = await this.#table.page(query);
      const seen = fault === 'stale' ? this.#older(query, items) : items;
      if (fault !== 'short' || seen.length < 2) return { items: seen, more };
      return { items: seen.slice(0, this.#simulation.random.between(1, seen.length - 1)), more: true };
    });
  }

  list(query: Query): Promise<Item[]> {
    return this.#call('read', `list ${describe(query)}`, async (fault) => {
      const items = await this.#table.list(query);
      return fault === 'stale' ? this.#older(query, items) : items;
    });
  }

  write(write: SingleWrite): Promise<void> {
    const { pk, sk } = write.kind === 'put' ? write.item : write.key;
    const kind = mayMeetTransaction(write) ? 'conflicting-write' : 'write';
    return this.#call(kind, `${write.kind} ${pk} ${sk}`, async () => {
      await this.#table.write(write);
      this.#history.record([write], this.#simulation.nowMs);
    });
  }

  increment(key: Key, attribute: string, by?: number, set?: Item): Promise<number> {
    return this.#call('increment', `increment ${key.pk}`, () =>
      this.#table.increment(key, attribute, by, set),
    );
  }

  transact(writes: Write[], requestToken: string): Promise<void> {
    return this.#call('transaction', `transact ${requestToken}`, async () => {
      await this.#table.transact(writes, requestToken);
      this.#history.record(writes, this.#simulation.nowMs);
    });
  }

  #call<Result>(
    kind: CallKind,
    what: string,
    run: (fault: Fault | undefined) => Promise<Result>,
  ): Promise<Result> {
    return this.#simulation.call(this.#process, { kind, what, run });
  }

  #older(query: Query, items: Item[]): Item[] {
    if (query.consistent) return items;
    const { random, nowMs } = this.#simulation;
    return this.#history.asOf(query, items, nowMs - random.between(0, MAX_LAG_MS));
  }
}

const describe = ({ index, partition, from, to, prefix }: Query): string =>
  [index, partition, from, to, prefix].filter((part) => part !== undefined).join(' ');

/** Whether a transaction may be under way on the item of a single write: a writer's that is late, or a removal's. */
const mayMeetTransaction = (write: SingleWrite): boolean =>
  write.kind === 'put'
    ? /-(seal|abandoned)$/.test(String(write.item.writeId))
    : write.key.pk.startsWith('QUEUE#');
