import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartFailure } from './start-failure.ts';

/** Makes the folder that keeps the data, for its owner alone. @throws StartFailure where nothing can be written */
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
 * Keeps a second service away from the data. SQLite locks a file of its own, because such a lock ends with the
 * process that holds it, however that ends, on every platform. @throws StartFailure while another one holds it
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
