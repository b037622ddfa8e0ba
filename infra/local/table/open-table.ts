import { type CapacityMeter, DynamoTable, type DynamoTableOptions } from '#shared/table/dynamo-table.ts';
import type { Table } from '#shared/table/table.ts';
import { meterBut } from './aside.ts';
import { keepReads } from './kept-reads.ts';
import { countInMemory } from './log-counter.ts';
import { keepPolls } from './polls-in-memory.ts';
import { createQuietTable } from './quiet-table.ts';
import { writeTopicsBehind } from './topics-behind.ts';

type Options = DynamoTableOptions & { meter: CapacityMeter; isStopped: () => boolean };

/** A table that has other clients too, of which the process remembers nothing. */
export const openSharedTable = ({ isStopped, ...options }: Options): Table =>
  createQuietTable(new DynamoTable(options), isStopped);

/** A table whose only client is this process, which remembers what the table answered. */
export const openTableAlone = (options: Options): Table =>
  rememberTable((meter) => openSharedTable({ ...options, meter }), options.meter);

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
