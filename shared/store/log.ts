import { blockOf, firstOfBlock, keys, lastOfBlock, partitions, positionSortKey } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { FILLED, type Filled, LOGGED, type LogEntry, type Logged, toEntry } from './log-entry.ts';

/** The entry at a position, strongly consistent. */
export async function findEntry(table: Table, position: number): Promise<LogEntry | undefined> {
  const item = await table.find(keys.logEntry(position));
  return item && toEntry(item);
}

export interface Frontier {
  /** Every position up to here has been filled; a gap is an entry that expired. */
  position: number;
  /** Up to here the sweep has derived again what follows from messages. */
  tendedPosition: number;
  /** Up to here messages are in the search index, or further. */
  indexedPosition: number;
}

export async function findFrontier(table: Table): Promise<Frontier> {
  const item = await table.find(keys.frontier());
  return {
    position: Number(item?.position ?? 0),
    tendedPosition: Number(item?.tendedPosition ?? 0),
    indexedPosition: Number(item?.indexedPosition ?? 0),
  };
}

/** Every position up to the frontier has been filled; below it, a gap is an entry that expired. */
export const readFrontier = async (table: Table): Promise<number> => (await findFrontier(table)).position;

/** The last position that was given to a writer. */
export async function readCounter(table: Table): Promise<number> {
  const item = await table.find(keys.counter('log'));
  return Number(item?.position ?? 0);
}

interface How {
  eventually?: boolean;
}

/** All entries within the bounds that are visible now, holes or not, ascending. */
export const listEntries = (table: Table, from: number, to: number, how: How = {}): Promise<LogEntry[]> =>
  listParts(table, from, to, how, undefined);

/** The same without events, which are most of the log, and nothing to whoever looks for messages. */
export const listLogged = (table: Table, from: number, to: number, how: How = {}): Promise<Logged[]> =>
  listParts(table, from, to, how, LOGGED);

/** The same without what stands at the positions, for whoever looks for holes. */
export const listFilled = (table: Table, from: number, to: number, how: How = {}): Promise<Filled[]> =>
  listParts(table, from, to, how, FILLED);

/** The few newest entries are likely not to have reached every replica. */
export const STRONG_ENTRIES = 20;

/**
 * The entries of a range without holes that may end where the log does, for half of what strong reads of all of them cost.
 * Where an older one is missing, the replica that was read lags behind, and it is read strongly.
 */
export async function listToEnd<Entry extends Filled>(
  list: (table: Table, from: number, to: number, how?: How) => Promise<Entry[]>,
  table: Table,
  from: number,
  to: number,
): Promise<Entry[]> {
  const split = Math.max(from - 1, to - STRONG_ENTRIES);
  const [older, newest] = await Promise.all([
    list(table, from, split, { eventually: true }),
    list(table, split + 1, to),
  ]);
  const isGapless = older.length > split - from;
  return [...(isGapless ? older : await list(table, from, split)), ...newest];
}

async function listParts(
  table: Table,
  from: number,
  to: number,
  { eventually = false }: How,
  attributes: string[] | undefined,
): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  if (from > to) return entries;
  for (let block = blockOf(from); block <= blockOf(to); block++) {
    const items = await table.list({
      partition: partitions.logBlock(block),
      from: positionSortKey(Math.max(from, firstOfBlock(block))),
      to: positionSortKey(Math.min(to, lastOfBlock(block))),
      consistent: !eventually,
      ...(attributes && { attributes }),
    });
    for (const item of items) entries.push(toEntry(item));
  }
  return entries;
}
