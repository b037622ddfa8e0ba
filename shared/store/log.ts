import { blockOf, firstOfBlock, keys, lastOfBlock, partitions, positionSortKey } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { type LogEntry, toEntry } from './log-entry.ts';

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

/** All entries within the bounds that are visible now, holes or not, ascending. */
export async function listEntries(
  table: Table,
  from: number,
  to: number,
  { eventually = false } = {},
): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  if (from > to) return entries;
  for (let block = blockOf(from); block <= blockOf(to); block++) {
    const items = await table.list({
      partition: partitions.logBlock(block),
      from: positionSortKey(Math.max(from, firstOfBlock(block))),
      to: positionSortKey(Math.min(to, lastOfBlock(block))),
      consistent: !eventually,
    });
    for (const item of items) entries.push(toEntry(item));
  }
  return entries;
}
