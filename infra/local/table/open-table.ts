import { type CapacityMeter, DynamoTable, type DynamoTableOptions } from '#shared/table/dynamo-table.ts';
import type { Table } from '#shared/table/table.ts';
import { meterBut } from './aside.ts';
import { engineCalls } from './engine-calls.ts';
import { keepReads } from './kept-reads.ts';
import { countInMemory } from './log-counter.ts';
import { keepPolls } from './polls-in-memory.ts';
import { createQuietTable } from './quiet-table.ts';
import { writeTopicsBehind } from './topics-behind.ts';

type Options = DynamoTableOptions & { endpoint: string; meter: CapacityMeter; isStopped: () => boolean };

/** How to open the table: in an embedded engine of this process or of several, or in another DynamoDB. */
export function openTableOf(where: {
  dynamodbEndpoint?: string | undefined;
  sharesEngine?: boolean | undefined;
  isTableOwn?: boolean | undefined;
}): (options: Options) => Table {
  if (where.dynamodbEndpoint === undefined || where.isTableOwn) return openTableAlone;
  return where.sharesEngine ? openEngineTable : openOtherTable;
}

const openOtherTable = ({ isStopped, ...options }: Options): Table =>
  createQuietTable(new DynamoTable(options), isStopped);

const openEngineTable = ({ isStopped, ...options }: Options): Table =>
  createQuietTable(new DynamoTable(options, engineCalls(options.endpoint)), isStopped);

/** A table whose only client is this process, which remembers what the table answered. */
const openTableAlone = (options: Options): Table =>
  rememberTable((meter) => openEngineTable({ ...options, meter }), options.meter);

/** A table that this process alone writes to. Units are counted as if nothing were remembered. */
export function rememberTable(
  connect: (meter: CapacityMeter) => Table,
  given: CapacityMeter,
  mostUnits?: number,
): Table {
  const { meter, aside } = meterBut(given);
  const kept = keepPolls(keepReads(connect, meter, mostUnits), meter);
  return writeTopicsBehind(countInMemory(kept, meter, aside), meter, aside);
}
