import { packIds, unpackIds } from '#shared/domain/reading/id-list.ts';
import type { Table } from '#shared/table/table.ts';
import type { Defect } from '#tests/simulation/world.ts';

/**
 * Two ways in which the table could be broken, to see with every test run that the judge is awake; `npm run mutants`
 * breaks the sources in many more.
 */
export const defects: { name: string; defect: Defect }[] = [
  {
    name: 'state and event are written one after the other',
    defect: (table) => ({
      ...verbsOf(table),
      transact: async ([first, ...rest]) => {
        for (const write of [...rest, first]) if (write && write.kind !== 'check') await table.write(write);
      },
    }),
  },
  {
    name: 'a queue remembers more than it has looked at',
    defect: (table) => ({
      ...verbsOf(table),
      write: (write) => {
        if (write.kind !== 'update' || !write.key.pk.startsWith('QUEUE#')) return table.write(write);
        const { scannedPosition } = write.set as { scannedPosition: number };
        return table.write({ ...write, set: { ...write.set, scannedPosition: scannedPosition + 1 } });
      },
    }),
  },
];

/** Register leaves items to the queue, which sends all but one channel. */
export const lostDeferred: Defect = (table) => ({
  ...verbsOf(table),
  find: async (key, options) => {
    const item = await table.find(key, options);
    if (key.sk !== 'ARREARS' || !item) return item;
    const ids = item.ids as Record<string, Uint8Array>;
    const channels = unpackIds(ids.channels ?? new Uint8Array()).map((id) => id + 1);
    return { ...item, ids: { ...ids, channels: packIds(channels) } };
  },
});

const verbsOf = (table: Table): Table => ({
  scanKeys: (after) => table.scanKeys(after),
  find: (key, options) => table.find(key, options),
  findMany: (keys, options) => table.findMany(keys, options),
  page: (query) => table.page(query),
  list: (query) => table.list(query),
  write: (write) => table.write(write),
  increment: (key, attribute, by, set) => table.increment(key, attribute, by, set),
  transact: (writes, requestToken) => table.transact(writes, requestToken),
});
