import { statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

const ROOT = join(import.meta.dirname, '../..');
/** Changes with every installed package. */
const PACKAGES = 'node_modules/.package-lock.json';

/** Size in bytes and time of the last change, by path relative to the root. */
type Sources = Record<string, [bytes: number, changedAtMs: number]>;

/** Whether a build was made from the sources as they are now; false without a build. */
export async function isUpToDate(recordFile: string): Promise<boolean> {
  const text = await readFile(recordFile, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  const sources = JSON.parse(text) as Sources;
  return Object.entries(sources).every(([path, before]) => {
    const now = describeSource(path);
    return now?.[0] === before[0] && now[1] === before[1];
  });
}

/** The own files that a bundler read, as paths from the root. */
export const sourcesOf = ({ inputs }: Metafile): string[] =>
  Object.keys(inputs).filter((path) => !path.startsWith('node_modules/'));

/** Keeps from which sources, given as paths from the root, a build was made. */
export async function recordSources(recordFile: string, paths: string[]): Promise<void> {
  const described = [...paths, PACKAGES].flatMap((path) => {
    const source = describeSource(path);
    return source ? [[path, source] as const] : [];
  });
  await writeFile(recordFile, JSON.stringify(Object.fromEntries(described)));
}

function describeSource(path: string): Sources[string] | undefined {
  const stats = statSync(join(ROOT, path), { throwIfNoEntry: false });
  return stats && [stats.size, stats.mtimeMs];
}
