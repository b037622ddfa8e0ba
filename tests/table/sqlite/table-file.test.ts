import { readdirSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import { userKeys } from '#shared/table/keys/users.ts';
import { FORMAT_VERSION, UnusableFile } from '#shared/table/sqlite/database.ts';
import { SqliteTable } from '#shared/table/sqlite/sqlite-table.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';

const folder = temporaryFolder('table-file');
let files = 0;
let path: string;
beforeEach(() => {
  path = join(folder, `${++files}.sqlite`);
});

const item = { ...userKeys.user(1), name: 'Ada', ids: new Set([1, 2]), bytes: Uint8Array.from([0, 255]) };

test('The items are there when the file is opened again', async () => {
  const first = new SqliteTable({ path });
  await first.write({ kind: 'put', item });
  await first.close();
  const second = new SqliteTable({ path });
  expect(await second.find(userKeys.user(1))).toEqual(item);
  await second.close();
});

test('Only its owner can read the file and those beside it', async () => {
  const table = new SqliteTable({ path });
  await table.write({ kind: 'put', item });
  const names = readdirSync(folder).filter((name) => name.startsWith(`${files}.sqlite`));
  expect(names).toHaveLength(3);
  for (const name of names) expect((await stat(join(folder, name))).mode & 0o777, name).toBe(0o600);
  await table.close();
});

test('Another process can read the file and write to it', async () => {
  const table = new SqliteTable({ path });
  await table.write({ kind: 'put', item });
  const other = new SqliteTable({ path });
  await other.write({ kind: 'update', key: userKeys.user(1), set: { name: 'Bo' } });
  expect(await table.find(userKeys.user(1))).toMatchObject({ name: 'Bo' });
  await other.close();
  await table.close();
});

describe('A file that is no table of this version', () => {
  const open = () => new SqliteTable({ path });

  test.each([
    [
      'is not a database',
      'some text that is longer than the header of a database, which has a hundred bytes in all',
    ],
    ['has a damaged header', `SQLite format 3\0${'\xff'.repeat(200)}`],
  ])('Fails to open if it %s', async (_what, content) => {
    await writeFile(path, content, 'latin1');
    expect(open).toThrow(UnusableFile);
    expect(open).toThrow(`The file ${path} is damaged, or no database; move it away and restore a backup`);
  });

  test('Fails to open if it belongs to another program', () => {
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE recipes (name TEXT)');
    database.close();
    expect(open).toThrow(UnusableFile);
    expect(open).toThrow(`The file ${path} is not a database of this service; move it away`);
  });

  test('Fails to open if a newer version wrote it', async () => {
    await open().close();
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA user_version = ${FORMAT_VERSION + 1}`);
    database.close();
    expect(open).toThrow(UnusableFile);
    expect(open).toThrow(`was written by a newer version of the service (format ${FORMAT_VERSION + 1}`);
  });
});

describe('Expiry', () => {
  test('Deletes items after their time, and keeps the others', async () => {
    let nowMs = 1_000_000;
    const table = new SqliteTable({ nowMs: () => nowMs });
    const [short, long, forever] = [userKeys.user(1), userKeys.user(2), userKeys.user(3)];
    await table.write({ kind: 'put', item: { ...short, expiresAtSeconds: 1_500 } });
    await table.write({ kind: 'put', item: { ...long, expiresAtSeconds: 2_500 } });
    await table.write({ kind: 'put', item: { ...forever } });
    nowMs = 2_000_000;
    await table.removeExpired();
    expect(await table.find(short)).toBeUndefined();
    expect(await table.find(long)).toBeDefined();
    expect(await table.find(forever)).toBeDefined();
  });

  test('Deletes more items than one turn allows', async () => {
    const table = new SqliteTable();
    const userIds = Array.from({ length: 450 }, (_, index) => index + 1);
    await Promise.all(
      userIds.map((userId) =>
        table.write({ kind: 'put', item: { ...userKeys.user(userId), expiresAtSeconds: 5 } }),
      ),
    );
    await table.removeExpired();
    expect(table.count()).toBe(0);
  });
});

describe('The token of a transaction', () => {
  const add = (table: SqliteTable) =>
    table.transact([{ kind: 'update', key: userKeys.user(1), add: { count: 1 } }], 'token');

  test('Remains known after the file is opened again, for ten minutes', async () => {
    let nowMs = 0;
    const first = new SqliteTable({ path, nowMs: () => nowMs });
    await add(first);
    await first.close();
    const second = new SqliteTable({ path, nowMs: () => nowMs });
    nowMs = 10 * 60_000;
    await add(second);
    expect(await second.find(userKeys.user(1))).toMatchObject({ count: 1 });
    nowMs += 1;
    await second.removeExpired();
    await add(second);
    expect(await second.find(userKeys.user(1))).toMatchObject({ count: 2 });
    await second.close();
  });

  test('May not be used for other writes', async () => {
    const table = new SqliteTable();
    await add(table);
    await expect(table.transact([{ kind: 'delete', key: userKeys.user(1) }], 'token')).rejects.toThrow(
      'The token belongs to another transaction',
    );
  });
});

test('A long series of reads lets other work run in between', async () => {
  const table = new SqliteTable();
  await table.write({ kind: 'put', item });
  let turns = 0;
  const count = (): void => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const beganMs = performance.now();
  while (performance.now() - beganMs < 200) await table.find(userKeys.user(1));
  clearImmediate(timer);
  expect(turns).toBeGreaterThan(5);
});
