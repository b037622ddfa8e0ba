import { isDeepStrictEqual } from 'node:util';
import type { Key } from '#shared/table/keys/key.ts';
import type { Item, KeyPage, Page, Query, Table, Write } from '#shared/table/table.ts';
import type { Process } from '#tests/simulation/process.ts';
import type { Simulation } from '#tests/simulation/simulation.ts';
import type { CallKind, Fault } from './faults.ts';
import type { RecordedTable } from './recorded-table.ts';

/** A read is at most this far behind. */
const MAX_LAG_MS = 2_000;
/** How often a stale query comes from one replica, so that it is behind by the same time for all items. */
const SHARE_OF_ONE_REPLICA = 0.5;
/** The share of reads that query the table, and must get the remembered state. */
const SHARE_OF_READS_ASKED = 0.1;

type SingleWrite = Exclude<Write, { kind: 'check' }>;

/** The real table as one process sees it: every call waits for its turn and may go wrong. */
export class SimulatedTable implements Table {
  readonly #simulation: Simulation;
  readonly #process: Process;
  readonly #table: RecordedTable;

  constructor(simulation: Simulation, process: Process, table: RecordedTable) {
    this.#simulation = simulation;
    this.#process = process;
    this.#table = table;
  }

  find(key: Key, options?: { eventually?: boolean }): Promise<Item | undefined> {
    return this.#call(readKind(options), `find ${key.pk} ${key.sk}`, (fault) =>
      fault === 'stale'
        ? this.#table.history.find(key, this.#earlier())
        : this.#read(this.#table.history.find(key, Infinity), () => this.#table.find(key, options)),
    );
  }

  async findMany(keys: Key[], options?: { eventually?: boolean }): Promise<Item[]> {
    if (keys.length === 0) return [];
    return this.#call(readKind(options), `findMany ${keys.length}`, (fault) =>
      keys
        .map((key) => this.#table.history.find(key, fault === 'stale' ? this.#earlier() : Infinity))
        .filter((item) => item !== undefined),
    );
  }

  page(query: Query): Promise<Page> {
    const kind = query.consistent ? 'page' : 'eventual-page';
    return this.#call(kind, `page ${describe(query)}`, async (fault) => {
      const items = await this.#list(query, fault);
      const isFull = items.length === query.limit;
      if (fault !== 'short' || items.length < 2) return { items, more: isFull };
      return { items: items.slice(0, this.#simulation.random.between(1, items.length - 1)), more: true };
    });
  }

  list(query: Query): Promise<Item[]> {
    const kind = readKind({ eventually: !query.consistent });
    return this.#call(kind, `list ${describe(query)}`, (fault) => this.#list(query, fault));
  }

  write(write: SingleWrite): Promise<void> {
    const { pk, sk } = write.kind === 'put' ? write.item : write.key;
    const kind = mayMeetTransaction(write) ? 'conflicting-write' : 'write';
    return this.#call(kind, `${write.kind} ${pk} ${sk}`, () => this.#table.write(write));
  }

  scanKeys(after?: Key): Promise<KeyPage> {
    return this.#call('page', 'scan', () => this.#table.scanKeys(after));
  }

  increment(key: Key, attribute: string, by?: number, set?: Item): Promise<number> {
    return this.#call('increment', `increment ${key.pk}`, () =>
      this.#table.increment(key, attribute, by, set),
    );
  }

  transact(writes: Write[], requestToken: string): Promise<void> {
    return this.#call('transaction', `transact ${requestToken}`, () =>
      this.#table.transact(writes, requestToken),
    );
  }

  #call<Result>(
    kind: CallKind,
    what: string,
    run: (fault: Fault | undefined) => Result | Promise<Result>,
  ): Promise<Result> {
    return this.#simulation.call(this.#process, { kind, what, run: async (fault) => run(fault) });
  }

  #list(query: Query, fault: Fault | undefined): Item[] | Promise<Item[]> {
    if (fault === 'stale') return this.#older(query);
    return this.#read(
      this.#table.history.list(query, () => Infinity),
      () => this.#table.list(query),
    );
  }

  /** The memory answers like the table. Now and then the table is queried. */
  async #read<Found>(remembered: Found, read: () => Promise<Found>): Promise<Found> {
    if (!this.#simulation.random.chance(SHARE_OF_READS_ASKED)) return remembered;
    if (!isDeepStrictEqual(await read(), remembered))
      throw new Error('The simulator remembers a wrong state');
    return remembered;
  }

  /** Some items of one collection may be older than others: it may be on several servers, like every index. */
  #older(query: Query): Item[] {
    const sameForAll = this.#earlier();
    const isOneReplica = this.#simulation.random.chance(SHARE_OF_ONE_REPLICA);
    return this.#table.history.list(query, () => (isOneReplica ? sameForAll : this.#earlier()));
  }

  #earlier(): number {
    const { random, nowMs } = this.#simulation;
    return nowMs - random.between(0, MAX_LAG_MS);
  }
}

const readKind = (options?: { eventually?: boolean }): CallKind =>
  options?.eventually ? 'eventual-read' : 'read';

const describe = ({ index, partition, from, to, prefix }: Query): string =>
  [index, partition, from, to, prefix].filter((part) => part !== undefined).join(' ');

/** Whether a transaction may be under way on the item of a single write: a writer's that is late, or a removal's. */
const mayMeetTransaction = (write: SingleWrite): boolean =>
  write.kind === 'put'
    ? /-(seal|abandoned)$/.test(String(write.item.writeId))
    : write.key.pk.startsWith('QUEUE#');
