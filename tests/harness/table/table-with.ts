import type { Table } from '#shared/table/table.ts';

/** The same table with other ways to make some of its calls. */
export const tableWith = (table: Table, calls: Partial<Table>): Table => ({
  find: (...given) => table.find(...given),
  findMany: (...given) => table.findMany(...given),
  page: (...given) => table.page(...given),
  list: (...given) => table.list(...given),
  scanKeys: (...given) => table.scanKeys(...given),
  write: (...given) => table.write(...given),
  increment: (...given) => table.increment(...given),
  transact: (...given) => table.transact(...given),
  ...calls,
});
