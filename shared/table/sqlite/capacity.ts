import { tableDefinition } from '../definition.ts';
import type { Item } from '../table.ts';
import { isSame } from './apply-write.ts';
import type { Decision } from './decide.ts';

type Index = (typeof tableDefinition.indexes)[number];
type Sized = { item: Item; bytes: number } | undefined;

const READ_UNIT_BYTES = 4_096;
const WRITE_UNIT_BYTES = 1_024;

/** What reading so many bytes at once costs; nothing found costs as much as the smallest item. */
export const readUnits = (bytes: number, isConsistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES)) * (isConsistent ? 1 : 0.5);

const sizeUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES));

/** The cost of a write; in a transaction the item itself costs twice, and its copies in indexes once. */
export function writeUnits({ write, before, after }: Decision, isInTransaction: boolean): number {
  const largest = Math.max(before?.bytes ?? 0, after?.bytes ?? 0);
  const own = sizeUnits(largest) * (isInTransaction ? 2 : 1);
  if (write.kind === 'check') return own;
  return tableDefinition.indexes.reduce((units, index) => units + indexUnits(index, before, after), own);
}

/** An index holds a copy of each of its items: with another key, one copy is removed and another added. */
function indexUnits(index: Index, before: Sized, after: Sized): number {
  const [was, is] = [isIndexed(index, before), isIndexed(index, after)];
  if (!was && !is) return 0;
  const [removed, added] = [sizeUnits(before?.bytes ?? 0), sizeUnits(after?.bytes ?? 0)];
  if (!was) return added;
  if (!is) return removed;
  const keeps = [index.partitionKey, index.sortKey].every((name) =>
    isSame(before?.item[name], after?.item[name]),
  );
  if (!keeps) return removed + added;
  return isSame(before?.item, after?.item) ? 0 : Math.max(removed, added);
}

const isIndexed = ({ partitionKey, sortKey }: Index, row: Sized): boolean =>
  row?.item[partitionKey] !== undefined && row.item[sortKey] !== undefined;
