import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);
const LATE_IMPORT = /\bimport\('([#.][^']*)'\)/g;
/** Modules that call AWS are no part of a simulation. */
const OF_AWS = /\/aws-/;

let loading: Promise<void> | undefined;

/**
 * Loads the modules that functions load late. Within a run, loading would take as long as the machine likes, and
 * others would continue meanwhile; then the seed would not decide everything.
 */
export function preload(): Promise<void> {
  loading ??= loadAll();
  return loading;
}

async function loadAll(): Promise<void> {
  for await (const path of glob('{shared,functions}/**/*.ts', { cwd: fileURLToPath(ROOT) })) {
    const file = new URL(path, ROOT);
    for (const [, specifier = ''] of (await readFile(file, 'utf8')).matchAll(LATE_IMPORT))
      if (!OF_AWS.test(specifier))
        await import(specifier.startsWith('#') ? specifier : new URL(specifier, file).href);
  }
}
