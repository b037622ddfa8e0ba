import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { lockDataFolder, openTableFile, TABLE_FILE } from '../../local/data-folder.ts';
import { BackupFailure } from '../archive/format.ts';
import type { DynamoItems } from '../dynamo-items.ts';
import { FileItems } from '../file-items.ts';
import { type RawItem, toLine } from '../raw-items.ts';
import { filesIn, keepFiles } from './folder-files.ts';
import { type OpenSource, type Source, SourceMoved } from './place.ts';

export const FILES_FOLDER = 'files';
const SNAPSHOT = 'backup-snapshot';

/**
 * The data folder of a local service, which may be running. Its copy is of one instant: SQLite copies the database within
 * one read transaction, which keeps no writer waiting, and the files get a second name each.
 */
export const dataFolderSource = (dataDir: string): Source => ({
  name: `data folder ${dataDir}`,
  async open(id, saved, save) {
    const snapshot = join(dataDir, SNAPSHOT);
    if (!(await exists(join(dataDir, TABLE_FILE))))
      throw new BackupFailure(
        `The folder ${dataDir} holds no data of this version of the service: start it there once, or name another by DATA_DIR.`,
      );
    await mkdir(snapshot, { recursive: true, mode: 0o700 });
    const lock = lockDataFolder(snapshot);
    try {
      const asOf = await findOrTakeSnapshot(dataDir, snapshot, id, saved !== undefined);
      await save({ asOf });
      return openSnapshot({ dataDir, snapshot, asOf }, lock);
    } catch (failure) {
      lock.release();
      throw failure;
    }
  },
});

/** @returns the instant of the snapshot */
async function findOrTakeSnapshot(
  dataDir: string,
  snapshot: string,
  id: string,
  goesOn: boolean,
): Promise<string> {
  const complete = join(snapshot, 'complete');
  const [keptId, keptAsOf] = (await readFile(complete, 'utf8').catch(() => '')).split(' ');
  if (keptId === id && keptAsOf) return keptAsOf;
  if (goesOn) throw new SourceMoved();
  for (const name of ['complete', TABLE_FILE, FILES_FOLDER])
    await rm(join(snapshot, name), { recursive: true, force: true });
  const files = [join(dataDir, FILES_FOLDER), join(snapshot, FILES_FOLDER)] as const;
  // A file is stored before the table names it, and removed after it, so each file that the copied table names exists
  // before or after the copy.
  await keepFiles(...files);
  copyDatabase(join(dataDir, TABLE_FILE), join(snapshot, TABLE_FILE));
  const asOf = new Date().toISOString();
  await keepFiles(...files);
  await writeFile(complete, `${id} ${asOf}`, { flush: true });
  return asOf;
}

function copyDatabase(from: string, to: string): void {
  const database = new DatabaseSync(from, { readOnly: true });
  try {
    database.exec('PRAGMA busy_timeout = 30000');
    database.prepare('VACUUM INTO ?').run(to);
  } finally {
    database.close();
  }
}

function openSnapshot(
  { dataDir, snapshot, asOf }: { dataDir: string; snapshot: string; asOf: string },
  lock: { release(): void },
): OpenSource {
  const table = openTableFile(snapshot);
  const items = new FileItems(table);
  return {
    asOf,
    itemsAbout: table.count(),
    async *items(from) {
      for await (const { items: page, after } of items.scan(from as RawItem | undefined))
        yield { lines: page.map(toLine), after };
    },
    files: (after) => filesIn(join(snapshot, FILES_FOLDER), after),
    secret: () => readSecret(dataDir),
    async close() {
      await table.close();
      lock.release();
    },
    forget: () => rm(snapshot, { recursive: true }),
  };
}

/** The secret of a data folder, if it has one. */
export const readSecret = async (dataDir: string): Promise<string | undefined> =>
  (await readFile(join(dataDir, 'secret'), 'utf8').catch(() => '')).trim() || undefined;

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** About how many items a table has: DynamoDB counts every six hours. */
export async function countItems({ client, name }: DynamoItems): Promise<number> {
  const { DescribeTableCommand } = await import('@aws-sdk/client-dynamodb');
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
  return Table?.ItemCount ?? 0;
}
