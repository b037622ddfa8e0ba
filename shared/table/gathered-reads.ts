import type { Key } from './keys/key.ts';
import type { Item, Query, Table } from './table.ts';

/** Items of one partition, with inclusive bounds of the sort key. */
export interface KeyRange {
  partition: string;
  from: string;
  to: string;
}

/**
 * The table for one round of reads: strongly consistent reads of items and prefixes within a range become one
 * query of the range, made at the first of them. A small or missing item costs a whole unit when read alone.
 */
export function gatherReads(table: Table, ranges: KeyRange[]): Table {
  const queries = new Map<KeyRange, Promise<Item[]>>();
  const queryOf = (range: KeyRange): Promise<Item[]> => {
    const made = queries.get(range) ?? table.list({ ...range, consistent: true });
    queries.set(range, made);
    return made;
  };
  return {
    async find(key, options) {
      const range = options?.eventually ? undefined : ranges.find((candidate) => isWithin(key, candidate));
      if (!range) return table.find(key, options);
      return (await queryOf(range)).find(({ sk }) => sk === key.sk);
    },
    findMany: (keys, options) => table.findMany(keys, options),
    page: (query) => table.page(query),
    async list(query) {
      const range = ranges.find((candidate) => isPrefixWithin(query, candidate));
      if (!range) return table.list(query);
      return (await queryOf(range)).filter(({ sk }) => String(sk).startsWith(query.prefix ?? ''));
    },
    scanKeys: (after) => table.scanKeys(after),
    write: (write, options) => table.write(write, options),
    increment: (key, attribute, by, set) => table.increment(key, attribute, by, set),
    transact: (writes, requestToken) => table.transact(writes, requestToken),
  };
}

const isWithin = ({ pk, sk }: Key, { partition, from, to }: KeyRange): boolean =>
  pk === partition && from <= sk && sk <= to;

const isPrefixWithin = ({ partition, prefix, from, to, limit, ...how }: Query, range: KeyRange): boolean =>
  prefix !== undefined &&
  how.consistent === true &&
  !how.backwards &&
  from === undefined &&
  to === undefined &&
  limit === undefined &&
  partition === range.partition &&
  range.from <= prefix &&
  `${prefix}\uffff` <= range.to;
