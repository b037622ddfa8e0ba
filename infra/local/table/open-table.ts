import { type CapacityMeter, DynamoTable, type DynamoTableOptions } from '#shared/table/dynamo-table.ts';
import type { Table } from '#shared/table/table.ts';
import { keepReads } from './kept-reads.ts';
import { keepPolls } from './polls-in-memory.ts';

type Options = DynamoTableOptions & { meter: CapacityMeter };

/** A table that has other clients too, of which the process remembers nothing. */
export const openSharedTable = (options: Options): Table => new DynamoTable(options);

/** A table whose only client is this process, which remembers what the table answered. */
export const openTableAlone = ({ meter, ...options }: Options): Table =>
  keepPolls(
    keepReads((counted) => new DynamoTable({ ...options, meter: counted }), meter),
    meter,
  );
