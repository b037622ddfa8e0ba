import type { SqliteTable } from '#shared/table/sqlite/sqlite-table.ts';
import type { Item } from '#shared/table/table.ts';

/** Counts that may change without any meaning: numbers, the low-water mark, requests, attempts to sign in, and mails. */
const COUNTS = /^(COUNTER#|FRONTIER|REQUESTS#|SIGN_IN#|MAILS#)/;

/** Every item of a table by its key, without mere counts. */
export async function dumpTable(table: SqliteTable): Promise<Record<string, Item>> {
  const items: Record<string, Item> = {};
  for await (const page of table.scan())
    for (const item of page) if (!COUNTS.test(item.pk)) items[`${item.pk} ${item.sk}`] = item;
  return items;
}
