import { positionOfSortKey, positionSortKey } from '#shared/table/keys.ts';
import {
  ConditionFailed,
  type Item,
  type Page,
  type Query,
  type Table,
  TransactionCanceled,
  type Write,
} from '#shared/table/table.ts';
import type { Defect } from './world.ts';

const isEntry = (write: Write): write is Extract<Write, { kind: 'put' }> =>
  write.kind === 'put' && write.item.pk.startsWith('LOG#');

const isMark = (write: Write): boolean => write.kind === 'update' && write.key.sk.startsWith('READ#');

function withoutCondition<One extends Write>(write: One): One {
  const { condition: _condition, ...rest } = write;
  return rest as One;
}

/** Overrides some verbs of a table. */
const override = (table: Table, verbs: Partial<Table>): Table => ({
  find: (key, options) => table.find(key, options),
  findMany: (keys, options) => table.findMany(keys, options),
  page: (query) => table.page(query),
  list: (query) => table.list(query),
  write: (write) => table.write(write),
  increment: (key, attribute, by) => table.increment(key, attribute, by),
  transact: (writes, requestToken) => table.transact(writes, requestToken),
  ...verbs,
});

/** Changes single writes and the parts of transactions alike. */
const rewrite = (table: Table, change: <One extends Write>(write: One) => One): Table =>
  override(table, {
    write: (write) => table.write(change(write)),
    transact: (writes, token) => table.transact(writes.map(change), token),
  });

const isLookAtLog = ({ partition, index, backwards }: Query): boolean =>
  partition.startsWith('LOG#') && index === undefined && !backwards;

function fillGaps({ items, more }: Page): Page {
  const filled: Item[] = [];
  for (const item of items) {
    const last = filled.at(-1);
    const before = last ? positionOfSortKey(String(last.sk)) : positionOfSortKey(String(item.sk)) - 1;
    for (let position = before + 1; position < positionOfSortKey(String(item.sk)); position++)
      filled.push({ pk: item.pk, sk: positionSortKey(position), atMs: item.atMs, writeId: 'none' });
    filled.push(item);
  }
  return { items: filled, more };
}

async function ignoreTaken(write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (failure) {
    const isTaken =
      failure instanceof ConditionFailed ||
      (failure instanceof TransactionCanceled && failure.failed.some(({ index }) => index === 0));
    if (!isTaken) throw failure;
  }
}

/** Ways in which the service could be broken. The simulation has to notice each of them; the first seed is where it did. */
export const defects: { name: string; firstSeed: number; withReaders?: boolean; defect: Defect }[] = [
  {
    name: 'a hole is sealed without a condition',
    firstSeed: 3,
    defect: (table) =>
      rewrite(table, (write) =>
        isEntry(write) && String(write.item.writeId).endsWith('-seal') ? withoutCondition(write) : write,
      ),
  },
  {
    name: 'a writer takes its position although the hole was sealed',
    firstSeed: 1,
    defect: (table) =>
      rewrite(table, (write) =>
        isEntry(write) && !/-(seal|abandoned)$/.test(String(write.item.writeId))
          ? withoutCondition(write)
          : write,
      ),
  },
  {
    name: 'a write is acknowledged although its position was taken',
    firstSeed: 2,
    defect: (table) =>
      override(table, {
        write: (write) => (isEntry(write) ? ignoreTaken(table.write(write)) : table.write(write)),
        transact: (writes, token) => ignoreTaken(table.transact(writes, token)),
      }),
  },
  {
    name: 'a reader passes holes',
    firstSeed: 3,
    defect: (table) =>
      override(table, {
        page: async (query) =>
          isLookAtLog(query) ? fillGaps(await table.page(query)) : await table.page(query),
      }),
  },
  {
    name: 'an entry is lost where a block ends',
    firstSeed: 4,
    defect: (table) =>
      override(table, {
        page: async (query) => {
          const { items, more } = await table.page(query);
          const isNextBlock = isLookAtLog(query) && query.from === undefined;
          return { items: isNextBlock ? items.map(({ message: _message, ...rest }) => rest) : items, more };
        },
      }),
  },
  {
    name: 'a queue remembers more than it has looked at',
    firstSeed: 1,
    defect: (table) =>
      rewrite(table, (write) => {
        if (write.kind !== 'update' || !write.key.pk.startsWith('QUEUE#')) return write;
        const { scannedPosition } = write.set as { scannedPosition: number };
        return { ...write, set: { ...write.set, scannedPosition: scannedPosition + 1 } };
      }),
  },
  {
    name: 'a message is shown to those who are subscribed now',
    firstSeed: 4,
    defect: (table) =>
      override(table, {
        find: async (key, options) => {
          const item = await table.find(key, options);
          if (!item || !key.sk.startsWith('SUBSCRIPTION#')) return item;
          const isOpen = (item.intervals as [number, number | null][]).at(-1)?.[1] === null;
          return { ...item, intervals: isOpen ? [[0, null]] : [] };
        },
      }),
  },
  {
    name: 'state and event are written one after the other',
    firstSeed: 1,
    defect: (table) =>
      override(table, {
        transact: async ([first, ...rest]) => {
          for (const write of [...rest, first]) if (write && write.kind !== 'check') await table.write(write);
        },
      }),
  },
  {
    name: 'a scheduled message is delivered without being claimed',
    firstSeed: 2,
    defect: (table) =>
      rewrite(table, (write) =>
        write.kind === 'delete' && write.key.pk.startsWith('SCHEDULED#') ? withoutCondition(write) : write,
      ),
  },
  {
    name: 'register looks at the head of the log only once',
    firstSeed: 3,
    defect: (table) => {
      let counter: Promise<Item | undefined> | undefined;
      return override(table, {
        find: (key, options) => {
          if (key.pk !== 'COUNTER#log') return table.find(key, options);
          counter ??= table.find(key, options);
          return counter;
        },
      });
    },
  },
  {
    name: 'marks are written whatever they were before',
    firstSeed: 1,
    withReaders: true,
    defect: (table) => rewrite(table, (write) => (isMark(write) ? withoutCondition(write) : write)),
  },
  {
    name: 'marks as unread outlive a floor that has passed them',
    firstSeed: 1,
    withReaders: true,
    defect: (table) =>
      rewrite(table, (write) =>
        isMark(write) && write.kind === 'update' && write.set?.read !== undefined
          ? { ...write, set: { ...write.set, markedAllAt: Number.MAX_SAFE_INTEGER } }
          : write,
      ),
  },
];
