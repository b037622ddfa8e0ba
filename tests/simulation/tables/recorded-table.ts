import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { createTable, LOCAL_REGION } from '#infra/local/create-table.ts';
import { engineCalls } from '#infra/local/table/engine-calls.ts';
import { DynamoTable, type DynamoTableOptions } from '#shared/table/dynamo-table.ts';
import type { Key } from '#shared/table/keys.ts';
import type { Item, Write } from '#shared/table/table.ts';
import { isEmbedded } from '#tests/harness/engine/open-engine.ts';
import type { Random } from '#tests/simulation/random.ts';
import { PartialBatches } from '#tests/simulation/services/partial-batches.ts';
import type { Simulation } from '#tests/simulation/simulation.ts';
import { TableHistory } from './table-history.ts';

/** The real table of one run, with a memory of all that its items ever were. */
export class RecordedTable extends DynamoTable {
  readonly history = new TableHistory();
  /** The same table when it is busy. */
  readonly partial: PartialBatches;
  /** Is told of each new entry of the log, as a stream of the table would tell. */
  onEntry: ((position: number) => void) | undefined;
  readonly #simulation: Simulation;
  /** DynamoDB remembers the tokens of transactions, and runs of one seed use the same ones. */
  readonly #run = randomBytes(6).toString('hex');
  /** Those that took effect. Sent again, they have none. */
  readonly #tokens = new Set<string>();

  /** A new table of the engine. */
  static async create(endpoint: string, simulation: Simulation): Promise<RecordedTable> {
    const tableName = `simulation-${randomUUID()}`;
    await createTable({ endpoint, tableName });
    return new RecordedTable({ tableName, endpoint, region: LOCAL_REGION }, simulation);
  }

  private constructor(options: DynamoTableOptions & { endpoint: string }, simulation: Simulation) {
    super(options, isEmbedded ? engineCalls(options.endpoint) : undefined);
    this.partial = new PartialBatches(options, simulation.random.fork('batches'));
    this.#simulation = simulation;
  }

  override async write(write: Exclude<Write, { kind: 'check' }>): Promise<void> {
    await super.write(write);
    this.#record([write]);
  }

  override async increment(key: Key, attribute: string, by = 1, set: Item = {}): Promise<number> {
    const value = await super.increment(key, attribute, by, set);
    this.#record([{ kind: 'update', key, set: { ...set, [attribute]: value } }]);
    return value;
  }

  override async transact(writes: Write[], requestToken: string): Promise<void> {
    await super.transact(writes, `${this.#run}${requestToken}`);
    if (!this.#tokens.has(requestToken)) this.#record(writes);
    this.#tokens.add(requestToken);
  }

  /** Deletes some of the items whose time is over, as a table does by itself: in any order, and late. Says how many. */
  async expire(random: Random): Promise<number> {
    const expired = this.history.listExpired(this.#simulation.nowMs).filter(() => random.chance(0.5));
    for (const { pk, sk } of expired) await this.write({ kind: 'delete', key: { pk, sk } });
    return expired.length;
  }

  stop(): Promise<void> {
    return this.partial.stop();
  }

  /** Where the memory says something else than the table. */
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
