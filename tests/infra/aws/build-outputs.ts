import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { vi } from 'vitest';
import { LOCAL_REGION } from '#infra/local/create-table.ts';

/** The names of parts follow from how deep the folder lies, as from the sources. */
export const makeBuildFolder = (): string => join(mkdtempSync(join(tmpdir(), 'team-chat-build-')), 'dist');

/** The digests of all that is deployed, by path. */
export const digestsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    globSync('{functions,image-layer}/**', { cwd: folder })
      .filter((file) => statSync(join(folder, file)).isFile())
      .sort()
      .map((file) => [
        file,
        createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex'),
      ]),
  );

/** Imports of other outputs, as minified. */
const AT_ONCE = /(?:from|import)"(\.\.?\/[^"]+\.mjs)"/g;
const LATER = /import\("(\.\.?\/[^"]+\.mjs)"\)/g;
const importsOf = (folder: string, file: string, pattern: RegExp): string[] =>
  [...readFileSync(join(folder, file), 'utf8').matchAll(pattern)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  );

/** Outputs, and all that these import, by imports of one kind or of several. */
function reachedFrom(
  folder: string,
  files: string[],
  patterns: RegExp[],
  seen = new Set<string>(),
): Set<string> {
  for (const file of files) {
    if (seen.has(file)) continue;
    seen.add(file);
    const next = patterns.flatMap((pattern) => importsOf(folder, file, pattern));
    reachedFrom(folder, next, patterns, seen);
  }
  return seen;
}

export const sizeOf = (folder: string, files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);

const loadedAtStart = (folder: string, name: string): Set<string> =>
  reachedFrom(folder, [`functions/${name}.mjs`], [AT_ONCE]);

/** The number of a function's own file and all its imports. */
export const filesAtStart = (folder: string, name: string): number => loadedAtStart(folder, name).size;

/** The bytes of the same files. */
export const sizeAtStart = (folder: string, name: string): number =>
  sizeOf(folder, loadedAtStart(folder, name));

/** The bytes of each part that functions load later, without files that all of them have loaded by then. */
export function sizesOfLateParts(folder: string, group: string[]): number[] {
  const entries = group.map((name) => `functions/${name}.mjs`);
  const loaded = entries.map((entry) => reachedFrom(folder, [entry], [AT_ONCE]));
  const common = loaded.reduce((before, one) => before.intersection(one));
  const late = [...reachedFrom(folder, entries, [AT_ONCE, LATER])].flatMap((file) =>
    importsOf(folder, file, LATER),
  );
  return [...new Set(late)]
    .filter((file) => !entries.includes(file))
    .map((file) => sizeOf(folder, reachedFrom(folder, [file], [AT_ONCE]).difference(common)));
}

/** The environment of a function that finds its table in the embedded engine. */
export function stubAws(endpoint: string): void {
  vi.stubEnv('AWS_REGION', LOCAL_REGION);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
}
