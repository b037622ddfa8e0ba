import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { DynamoItems } from '../dynamo-items.ts';
import { type RawItem, toLine } from '../raw-items.ts';
import { countItems, FILES_FOLDER, readSecret } from './data-folder.ts';
import { filesIn } from './folder-files.ts';
import { type Source, SourceMoved } from './place.ts';

/** How far a reading of the table has come: its next page, and a print of the items so far. */
interface Reading {
  start?: RawItem | undefined;
  print: string;
  isRead: boolean;
}

/**
 * A local service on another DynamoDB, which cannot copy an instant. So the table is read twice: if both readings are
 * equal, no item changed between its two reads, and the copy shows the instant between the readings.
 */
export const quietTableSource = (table: DynamoItems, dataDir: string, endpoint: string): Source => ({
  name: `table ${table.name} at ${endpoint}`,
  open: async (_id, saved, save) => {
    const asOf = (saved?.asOf as string | undefined) ?? new Date().toISOString();
    await save({ asOf });
    return {
      asOf,
      itemsAbout: await countItems(table),
      items: (after) => readTwice(table, (after as Reading | undefined) ?? { print: '', isRead: false }),
      files: (after) => filesIn(join(dataDir, FILES_FOLDER), after),
      secret: () => readSecret(dataDir),
      close: async () => table.client.destroy(),
      forget: async () => undefined,
    };
  },
});

async function* readTwice(table: DynamoItems, from: Reading) {
  let { print, isRead } = from;
  if (!isRead)
    for await (const { items, after } of table.scan(from.start)) {
      print = addToPrint(print, items);
      isRead = after === undefined;
      yield { lines: items.map(toLine), after: { start: after, print, isRead } satisfies Reading };
    }
  let again = '';
  for await (const { items } of table.scan()) again = addToPrint(again, items);
  if (again !== print) throw new SourceMoved();
}

/** The exclusive or of the digests of all items, in whatever order they come. */
function addToPrint(print: string, items: RawItem[]): string {
  let sum = BigInt(`0x0${print}`);
  for (const item of items) sum ^= BigInt(`0x${createHash('sha256').update(toLine(item)).digest('hex')}`);
  return sum.toString(16);
}
