import { createReadStream } from 'node:fs';
import { copyFile, link, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkFileName, isFileName } from '#shared/runtime/file-name.ts';
import { byName } from '../../by-name.ts';
import type { FilesTarget, StoredFile } from './place.ts';

/** The names of all files below a folder, sorted. Files that are being written are none yet. */
export async function* namesIn(folder: string, prefix = ''): AsyncGenerator<string> {
  const entries = await readdir(join(folder, prefix), { withFileTypes: true }).catch(unlessMissing);
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  for (const name of names.sort(byName)) {
    if (name.endsWith('/')) yield* namesIn(folder, prefix + name);
    else if (isFileName(prefix + name)) yield prefix + name;
  }
}

/** The files of a folder by name, from after one of them on. */
export async function* filesIn(folder: string, after = ''): AsyncGenerator<StoredFile> {
  for await (const name of namesIn(folder)) {
    if (name <= after) continue;
    const path = join(folder, name);
    yield { name, size: (await stat(path)).size, read: () => createReadStream(path) };
  }
}

/**
 * Gives each file a second name in another folder, under which it stays when the service removes it. Files are replaced
 * and never changed, so that is a copy. If a file system has no hard links, the file is copied.
 */
export async function keepFiles(from: string, to: string, giveName = link): Promise<void> {
  for await (const name of namesIn(from)) {
    const [source, kept] = [join(from, name), join(to, name)];
    await mkdir(dirname(kept), { recursive: true, mode: 0o700 });
    await giveName(source, kept).catch(async ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'EEXIST') await copyFile(source, kept).catch(unlessMissing);
    });
  }
}

/** The files of a local service. */
export const folderTarget = (folder: string): FilesTarget => ({
  async put(name, _size, pieces) {
    checkFileName(name);
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const unfinished = `${file}.${process.pid}~`;
    await writeFile(unfinished, pieces, { mode: 0o600, flush: true });
    await rename(unfinished, file);
  },
  list: () => namesIn(folder),
  remove: (name) => rm(join(folder, name), { force: true }),
});

function unlessMissing(failure: NodeJS.ErrnoException): never[] {
  if (failure.code !== 'ENOENT') throw failure;
  return [];
}
