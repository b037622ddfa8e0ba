import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { LOCAL_REGION } from '#infra/local/create-table.ts';
import { CREDENTIALS, stubEnvironment } from '#tests/harness/environment.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';

/** The names of parts follow from how deep the folder lies, as from the sources. */
export const makeBuildFolder = (): string => join(temporaryFolder('build'), 'dist');

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

/** Imports of other outputs at the start, as minified. */
const IMPORT = /(?:from|import)"(\.\.?\/[^"]+\.mjs)"/g;
const importsOf = (folder: string, file: string): string[] =>
  [...readFileSync(join(folder, file), 'utf8').matchAll(IMPORT)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  );

/** The output of a function, and all that it imports at its start. */
function loadedAtStart(folder: string, name: string): Set<string> {
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    importsOf(folder, file).forEach(load);
  };
  load(`functions/${name}.mjs`);
  return loaded;
}

/** The number of a function's own file and all its imports. */
export const filesAtStart = (folder: string, name: string): number => loadedAtStart(folder, name).size;

/** The bytes of the same files. */
export const sizeAtStart = (folder: string, name: string): number =>
  [...loadedAtStart(folder, name)].reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);

/** The environment of a function that finds its table in the embedded engine. */
export const stubAws = (endpoint: string, more: Record<string, string> = {}): void =>
  stubEnvironment({
    AWS_REGION: LOCAL_REGION,
    ...CREDENTIALS,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    ...more,
  });
