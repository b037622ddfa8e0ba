import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { IN_MEMORY } from './database.ts';

/** Makes what SQLite has committed to a file durable. */
export interface FileSync {
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The log of a database in WAL mode, to which SQLite appends each commit, as seen by the disk. SQLite keeps the file as
 * long as the database is open.
 */
export function openFileSync(path: string): FileSync {
  if (path === IN_MEMORY) return { sync: async () => undefined, close: async () => undefined };
  let log: Promise<FileHandle> | undefined;
  return {
    async sync() {
      log ??= openLog(path);
      await (await log).datasync();
    },
    async close() {
      await (await log)?.close();
    },
  };
}

async function openLog(path: string): Promise<FileHandle> {
  // Windows syncs only files that are open for writing.
  const log = await open(`${path}-wal`, 'r+');
  await syncFolder(dirname(path));
  return log;
}

/** Makes the names of new files durable; Windows has no such call. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
