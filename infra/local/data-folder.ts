import { constants } from 'node:fs';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartFailure } from './start-failure.ts';

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
  const database = new DatabaseSync(join(dataDir, 'lock'));
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch {
    database.close();
    throw new StartFailure(
      `The folder ${dataDir} is in use by another service that runs; end that one or choose another by DATA_DIR.`,
    );
  }
  return { release: () => database.close() };
}

/** Notes where the embedded DynamoDB of the service that holds a data folder listens. */
export const noteRunningEngine = (dataDir: string, endpoint: string): Promise<void> =>
  writeFile(join(dataDir, 'engine'), endpoint, { mode: 0o600 });

/** Where the embedded DynamoDB of the service that holds a data folder listens; undefined where none runs. */
export async function findRunningEngine(dataDir: string): Promise<string | undefined> {
  try {
    lockDataFolder(dataDir).release();
    return undefined;
  } catch (failure) {
    if (!(failure instanceof StartFailure)) throw failure;
    return readFile(join(dataDir, 'engine'), 'utf8');
  }
}
