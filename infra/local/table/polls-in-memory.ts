import { isDeepStrictEqual } from 'node:util';
import type { CapacityMeter } from '#shared/table/dynamo-table.ts';
import type { Key } from '#shared/table/keys.ts';
import { ConditionFailed, type Item, type Table, type Write } from '#shared/table/table.ts';
import { copyOf, frozen } from './copy-of.ts';

/** The items that say which polls of an account wait. */
const POLLS = 'POLLS#';
const READ_UNIT_BYTES = 4_096;
const WRITE_UNIT_BYTES = 1_024;
/** The table keeps numbers and the marks between attributes in less than JSON does. */
const BYTES_OF_CHARACTER = 0.75;

/** What one account has, whose parts nothing changes. */
interface Polls {
  item: Item;
  bytes: number;
}

/**
 * A table that keeps in memory which polls wait: in a process that holds all of them they end with it. Their reads and
 * writes count about the units that they would take in the table.
 */
export function keepPolls(table: Table, meter: CapacityMeter): Table {
  const kept = new Map<string, Polls>();
  const isKept = ({ pk }: Key): boolean => pk.startsWith(POLLS);
  return {
    async find(key, options) {
      if (!isKept(key)) return table.find(key, options);
      const { item, bytes = 0 } = kept.get(key.pk) ?? {};
      meter({ read: unitsOf(bytes, READ_UNIT_BYTES) * (options?.eventually ? 0.5 : 1), write: 0 });
      return item && { ...item };
    },
    async write(write) {
      if (write.kind !== 'update' || !isKept(write.key)) return table.write(write);
      const { item } = kept.get(write.key.pk) ?? {};
      const next = { ...write.key, ...item, ...frozen(copyOf(write.set)) };
      const bytes = JSON.stringify(next).length * BYTES_OF_CHARACTER;
      meter({ read: 0, write: unitsOf(bytes, WRITE_UNIT_BYTES) });
      if (!holds(write, item)) throw new ConditionFailed(item && { ...item });
      kept.set(write.key.pk, { item: next, bytes });
    },
    findMany: (keys, options) => table.findMany(keys, options),
    page: (query) => table.page(query),
    list: (query) => table.list(query),
    increment: (key, attribute, by, set) => table.increment(key, attribute, by, set),
    transact: (writes, requestToken) => table.transact(writes, requestToken),
  };
}

/** Whether an item is as an update expects it. */
const holds = ({ condition = {} }: Write, item: Item = {}): boolean =>
  Object.entries(condition.equals ?? {}).every(([name, value]) => isDeepStrictEqual(item[name], value)) &&
  (condition.absent ?? []).every((name) => item[name] === undefined);

const unitsOf = (bytes: number, bytesOfUnit: number): number => Math.max(1, Math.ceil(bytes / bytesOfUnit));
