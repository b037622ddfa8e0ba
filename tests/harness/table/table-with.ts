import type { Table } from '#shared/table/table.ts';

type Verb = keyof Table;
const VERBS: Record<Verb, true> = {
  find: true,
  findMany: true,
  page: true,
  list: true,
  scanKeys: true,
  write: true,
  increment: true,
  transact: true,
};

/** The same table, whose calls go through a function. */
export const aroundCalls = (
  table: Table,
  around: (call: () => Promise<unknown>, verb: Verb, args: unknown[]) => Promise<unknown>,
): Table =>
  Object.fromEntries(
    Object.keys(VERBS).map((name) => {
      const verb = name as Verb;
      const call = table[verb].bind(table) as (...args: unknown[]) => Promise<unknown>;
      return [verb, (...args: unknown[]) => around(() => call(...args), verb, args)];
    }),
  ) as unknown as Table;

/** The same table with other ways to make some of its calls. */
export const tableWith = (table: Table, calls: Partial<Table>): Table => ({
  ...aroundCalls(table, (call) => call()),
  ...calls,
});
