import type { Table } from '#shared/table/table.ts';

/**
 * A table for one run of the service. Background work that continues after the end of the engine waits forever for
 * calls that would fail, as sleepers do for a stopped clock: it neither logs failures nor retries.
 */
export function createQuietTable(table: Table, isStopped: () => boolean): Table {
  const quietly = <Answer>(call: Promise<Answer>): Promise<Answer> =>
    call.catch((failure) => {
      if (isStopped()) return new Promise<never>(() => {});
      throw failure;
    });
  return {
    find: (key, options) => quietly(table.find(key, options)),
    findMany: (keys, options) => quietly(table.findMany(keys, options)),
    page: (query) => quietly(table.page(query)),
    list: (query) => quietly(table.list(query)),
    write: (write, options) => quietly(table.write(write, options)),
    scanKeys: (after) => quietly(table.scanKeys(after)),
    increment: (key, attribute, by, set) => quietly(table.increment(key, attribute, by, set)),
    transact: (writes, requestToken) => quietly(table.transact(writes, requestToken)),
  };
}
