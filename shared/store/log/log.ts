import {
  blockOf,
  firstOfBlock,
  lastOfBlock,
  logKeys,
  logPartitions,
  positionSortKey,
} from '#shared/table/keys/log.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Table } from '#shared/table/table.ts';
import { FILLED, type Filled, LOGGED, type LogEntry, type Logged, toEntry } from './log-entry.ts';

/** The entry at a position, strongly consistent. */
export async function findEntry(table: Table, position: number): Promise<LogEntry | undefined> {
  const item = await table.find(logKeys.entry(position));
  return item && toEntry(item);
}

export interface LowWaterMark {
  /** All positions up to here are filled; a gap is an expired entry. */
  position: number;
  /** Up to here the sweep has repeated the post-commit updates of messages. */
  tendedPosition: number;
  /** At least up to here messages are in the search index. */
  indexedPosition: number;
}

export async function findLowWaterMark(table: Table): Promise<LowWaterMark> {
  const item = await table.find(logKeys.lowWaterMark());
  return {
    position: Number(item?.position ?? 0),
    tendedPosition: Number(item?.tendedPosition ?? 0),
    indexedPosition: Number(item?.indexedPosition ?? 0),
  };
}

/** All positions up to the low-water mark are filled; below it, a gap is an expired entry. */
export const readLowWaterMark = async (table: Table): Promise<number> =>
  (await findLowWaterMark(table)).position;

interface How {
  eventually?: boolean;
}

/** The last assigned position. */
export async function readCounter(table: Table, how: How = {}): Promise<number> {
  const item = await table.find(organizationKeys.counter('log'), how);
  return Number(item?.position ?? 0);
}

/** Whether a position was assigned. The counter only rises, so a late copy of it, for half a read unit, proves most. */
export const isAssigned = async (table: Table, position: number): Promise<boolean> =>
  position <= (await readCounter(table, { eventually: true })) || position <= (await readCounter(table));

/** All visible entries within the bounds, holes skipped, ascending. */
export const listEntries = (table: Table, from: number, to: number, how: How = {}): Promise<LogEntry[]> =>
  listParts(table, from, to, how, undefined);

/** The same without events, which are most of the log, for readers of messages. */
export const listLogged = (table: Table, from: number, to: number, how: How = {}): Promise<Logged[]> =>
  listParts(table, from, to, how, LOGGED);

/** The same with positions only, to find holes. */
export const listFilled = (table: Table, from: number, to: number, how: How = {}): Promise<Filled[]> =>
  listParts(table, from, to, how, FILLED);

/** The newest entries may not have reached every replica. */
export const STRONG_ENTRIES = 20;

/**
 * The entries of a range without holes that may end at the end of the log, for half the cost of strong reads.
 * If an older entry is missing, the replica lags behind and the entry is read strongly.
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
      partition: logPartitions.block(block),
      from: positionSortKey(Math.max(from, firstOfBlock(block))),
      to: positionSortKey(Math.min(to, lastOfBlock(block))),
      consistent: !eventually,
      ...(attributes && { attributes }),
    });
    for (const item of items) entries.push(toEntry(item));
  }
  return entries;
}
