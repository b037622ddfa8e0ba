import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Key } from '#shared/table/keys/key.ts';
import { UnusableFile } from '#shared/table/sqlite/database.ts';
import { SqliteTable } from '#shared/table/sqlite/sqlite-table.ts';
import type { Item } from '#shared/table/table.ts';
import { fromLine } from '../backup/raw-items.ts';
import { LOCAL_TABLE } from './create-table.ts';

/** The name under which the emulator's file is kept. */
const KEPT_FILE = 'database-of-version-12.sqlite';
/** The layout of the last emulator. */
const LAYOUT = '9';
const ITEMS_PER_BATCH = 500;

/**
 * Copies the table from the file of version 12 to the present one, unless that exists, and renames the old file. A crash
 * leaves the old file or both, and the next start continues.
 * @throws UnusableFile for a file of an earlier version
 */
export async function convertEmulatorFile(from: string, to: string): Promise<void> {
  if (!existsSync(to)) await copyItems(from, to);
  renameSync(from, join(dirname(from), KEPT_FILE));
}

async function copyItems(from: string, to: string): Promise<void> {
  const unfinished = `${to}.unfinished`;
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${unfinished}${suffix}`, { force: true });
  const emulator = new DatabaseSync(from);
  const table = new SqliteTable({ path: unfinished });
  try {
    requireLayout(emulator, from);
    // Everything is in the one file then.
    emulator.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    for (const batch of batchesOf(itemsOf(emulator)))
      await Promise.all(batch.map((item) => table.write({ kind: 'put', item })));
  } finally {
    await table.close();
    emulator.close();
  }
  renameSync(unfinished, to);
}

function requireLayout(emulator: DatabaseSync, path: string): void {
  const layout = findLayout(emulator);
  if (layout === undefined)
    throw new UnusableFile(`The file ${path} is damaged, or not of this service; move it away.`);
  if (layout !== LAYOUT)
    throw new UnusableFile(
      `The file ${path} is of another version (layout ${layout}). Carry its data over: run "npm run backup -- --to team-chat.tar" with that version, then "DATA_DIR=<new folder> npm run restore -- --from team-chat.tar" with this one.`,
    );
}

function findLayout(emulator: DatabaseSync): string | undefined {
  try {
    const row = emulator.prepare(`SELECT value FROM _config WHERE key = 'schema_version'`).get();
    return String(row?.value);
  } catch {
    return undefined;
  }
}

function* itemsOf(emulator: DatabaseSync): Generator<Key & Item> {
  const rows = emulator.prepare(`SELECT item_json AS item FROM "${LOCAL_TABLE}"`).iterate();
  for (const { item } of rows) yield unmarshall(fromLine(`{"Item":${item}}`)) as Key & Item;
}

function* batchesOf<One>(all: Iterable<One>): Generator<One[]> {
  let batch: One[] = [];
  for (const item of all) {
    batch.push(item);
    if (batch.length < ITEMS_PER_BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
