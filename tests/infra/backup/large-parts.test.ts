import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ITEMS as ITEM_PARTS, itemsName } from '#infra/backup/archive/format.ts';
import { Pace } from '#infra/backup/pace.ts';
import { openDynamo, RawTable, toLine } from '#infra/backup/table-items.ts';
import { createTable } from '#infra/local/create-table.ts';
import { engineEndpoint } from '#tests/harness/engine/engine-endpoint.ts';
import {
  backBeside,
  contentsOf,
  crashAgainAndAgain,
  dumpTable,
  filesOf,
  putBackBeside,
  tableBeside,
} from './fixture.ts';

/** Three pages of the table, each a part of more than one read of the archive yields, compressed as well. */
const ITEMS = 300;
const ITEM_BYTES = 6_000;
const FILE_BYTES = 300_000;

test('parts of the table and files that are larger than one read of the archive come back, also after interruptions', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'team-chat-large-'));
  const [source, target] = [join(folder, 'source'), join(folder, 'target')];
  const [table, copy] = [`test-${randomUUID()}`, `test-${randomUUID()}`];
  await createTable({ endpoint: engineEndpoint(), tableName: table });
  const items = Array.from({ length: ITEMS }, (_, index) => ({
    pk: { S: 'LARGE' },
    sk: { S: String(index) },
    text: { S: randomBytes(ITEM_BYTES).toString('base64') },
  }));
  await tableBeside(table).put(items);
  await mkdir(join(source, 'files'), { recursive: true });
  for (const name of ['one', 'two']) await writeFile(join(source, 'files', name), randomBytes(FILE_BYTES));
  const archive = join(folder, 'large.tar');
  const endings = await crashAgainAndAgain(
    (onStep) => backBeside(source, table, archive, { onStep }),
    async () => undefined,
  );
  expect(endings).toBeGreaterThan(1);
  const parts = Object.keys(await contentsOf(archive)).filter((name) => name.startsWith(ITEM_PARTS));
  expect(parts).toEqual([1, 2, 3].map(itemsName));

  const crashes = await crashAgainAndAgain(
    (onStep) => putBackBeside(archive, target, copy, { onStep }),
    async () => undefined,
  );
  expect(crashes).toBeGreaterThan(1);
  expect(await dumpTable(tableBeside(copy))).toEqual(await dumpTable(tableBeside(table)));
  expect(await filesOf(target)).toEqual(await filesOf(source));
  await rm(folder, { recursive: true });
});

/** The line of an item of the next test, without its text. */
const LINE_BYTES = toLine({ pk: { S: 'ITEM' }, sk: { S: '0000' }, text: { S: '' } }).length;

test('items go into as few transactions as their number and their bytes permit', async () => {
  const tableName = `test-${randomUUID()}`;
  await createTable({ endpoint: engineEndpoint(), tableName });
  let transactions = 0;
  // The pace is kept after each transaction.
  const pace = new Pace(
    1,
    () => 0,
    async () => (transactions += 1),
  );
  const table = new RawTable(openDynamo(engineEndpoint()), tableName, pace, 'transactions');
  const put = async (count: number, bytes: number, moreOfFirst = 0) => {
    const items = Array.from({ length: count }, (_, index) => ({
      pk: { S: 'ITEM' },
      sk: { S: String(index).padStart(4, '0') },
      text: { S: 'x'.repeat(index === 0 ? bytes + moreOfFirst : bytes) },
    }));
    transactions = 0;
    await table.put(items);
    expect(await dumpTable(tableBeside(tableName))).toEqual(items.map(toLine));
    await table.remove(items);
    expect(await dumpTable(tableBeside(tableName))).toEqual([]);
    return transactions;
  };
  expect(await put(250, 10)).toBe(3 + 3);
  expect(await put(30, 390_000)).toBe(3 + 1);
  // The lines of ten items have exactly as many bytes as a transaction may have.
  expect(await put(20, 400_000 - LINE_BYTES)).toBe(2 + 1);
  expect(await put(10, 400_000 - LINE_BYTES, 1)).toBe(2 + 1);
});
