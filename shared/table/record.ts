import type { Item } from './table.ts';

/**
 * The record that an item holds. Only this service writes the table, and each item from a record of its kind, so the
 * attributes are not checked when it is read.
 */
export const recordOf = <Stored>(item: Item): Stored => item as Stored;
