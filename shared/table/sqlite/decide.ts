import type { Item, Write } from '../table.ts';
import { checkCondition, checkUpdate, holds, updated } from './apply-write.ts';
import { checkIndexKeys, checkKey, keyOf } from './limits.ts';
import { type PackedItem, packItem } from './packed-item.ts';
import type { Row } from './rows.ts';

/** A write that is valid, whatever the table holds. */
export interface PreparedWrite {
  write: Write;
  /** The item of a put. */
  packed?: PackedItem;
}

/** What becomes of an item by a write. */
export interface Decision {
  write: Write;
  before: Row | undefined;
  /** Absent after a delete, and for a check. */
  after?: PackedItem & { item: Item };
}

/** @throws InvalidRequest for what DynamoDB would reject */
export function prepare(write: Write): PreparedWrite {
  checkKey(keyOf(write));
  if (write.condition) checkCondition(write.condition);
  if (write.kind === 'update') checkUpdate(write);
  if (write.kind !== 'put') return { write };
  checkIndexKeys(write.item);
  return { write, packed: packItem(write.item) };
}

/** Whether the condition of a write holds for the item as it is. */
export const isAllowed = ({ write: { condition } }: PreparedWrite, before: Row | undefined): boolean =>
  condition === undefined || holds(condition, before?.item);

/** @throws InvalidRequest for an update that does not suit the item */
export function decide({ write, packed }: PreparedWrite, before: Row | undefined): Decision {
  if (write.kind === 'put' && packed) return { write, before, after: { item: write.item, ...packed } };
  if (write.kind !== 'update') return { write, before };
  const item = updated(write, before?.item);
  checkIndexKeys(item);
  return { write, before, after: { item, ...packItem(item) } };
}
