import { chmodSync, constants, existsSync } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UnusableFile } from '#shared/table/sqlite/database.ts';
import { SqliteTable, type SqliteTableOptions } from '#shared/table/sqlite/sqlite-table.ts';
import { StartFailure } from './start-failure.ts';

/** The file of the table in the data folder. */
export const TABLE_FILE = 'team-chat.sqlite';
/** The file in which versions up to 12 kept it: that of an emulator of DynamoDB. */
export const EMULATOR_FILE = 'database.sqlite';

/** Whether a service has started in this folder. */
export const hasData = (dataDir: string): boolean =>
  [TABLE_FILE, EMULATOR_FILE].some((name) => existsSync(join(dataDir, name)));

/** Creates the data folder, accessible to its owner only. @throws StartFailure when it cannot be written */
export async function openDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.W_OK | constants.X_OK);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    throw new StartFailure(`The folder ${dataDir} cannot be written (${code}); choose another by DATA_DIR.`);
  }
}

/**
 * Prevents a second service on the same data. A SQLite lock on a separate file ends with its process on every
 * platform, however the process ends.
 * @throws StartFailure while another service holds it
 */
export function lockDataFolder(dataDir: string): { release(): void } {
  const path = join(dataDir, 'lock');
  const database = new DatabaseSync(path);
  try {
    chmodSync(path, 0o600);
    database.exec('BEGIN EXCLUSIVE');
  } catch {
    database.close();
    throw new StartFailure(
      `The folder ${dataDir} is in use by another service that runs; end that one or choose another by DATA_DIR.`,
    );
  }
  return { release: () => database.close() };
}

/** Brings the data of version 12 to the present format, and keeps a copy; to be called with the lock. @throws StartFailure */
export async function convertOldTable(dataDir: string): Promise<void> {
  const old = join(dataDir, EMULATOR_FILE);
  if (!existsSync(old)) return;
  const { convertEmulatorFile } = await import('./emulator-file.ts');
  await convertEmulatorFile(old, join(dataDir, TABLE_FILE)).catch(explainUnusable);
}

/** Opens or creates the table of a data folder. @throws StartFailure when the file cannot be used */
export function openTableFile(dataDir: string, options: Omit<SqliteTableOptions, 'path'> = {}): SqliteTable {
  try {
    return new SqliteTable({ ...options, path: join(dataDir, TABLE_FILE) });
  } catch (failure) {
    return explainUnusable(failure);
  }
}

function explainUnusable(failure: unknown): never {
  throw failure instanceof UnusableFile ? new StartFailure(failure.message) : failure;
}
