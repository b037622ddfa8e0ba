import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ITEMS as ITEM_PARTS, itemsName } from '#infra/backup/archive/format.ts';
import { createTable } from '#infra/local/create-table.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { engineEndpoint, useWireEngine } from '#tests/harness/wire-engine/wire-engine.ts';
import {
  backBeside,
  contentsOf,
  crashAgainAndAgain,
  dumpTable,
  filesOf,
  putBackBeside,
  tableBeside,
} from './fixture.ts';

await useWireEngine();

/** Three pages of the table, each a part of more than one read of the archive yields, compressed as well. */
const ITEMS = 300;
const ITEM_BYTES = 6_000;
const FILE_BYTES = 300_000;

test('Table parts and files larger than one read of the archive are restored, also after interruptions', async () => {
  const folder = temporaryFolder('large');
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
});
