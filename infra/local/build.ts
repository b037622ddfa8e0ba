import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { recordSources, sourcesOf } from '#infra/build/built-from.ts';
import { RECORD, SERVICE, WORKER } from './built.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Some libraries are CommonJS and call `require`, which ES modules lack. */
const REQUIRE = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

const options = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  banner: { js: REQUIRE },
  legalComments: 'none',
  // Files of these are read where they are installed, or they are optional.
  external: ['wasm-vips', 'swagger-ui-dist', 'bufferutil', 'utf-8-validate'],
  metafile: true,
  write: false,
} satisfies BuildOptions;

/**
 * Bundles the local service into one file, with names and lines kept, and the thread for pictures into another.
 * Finding and reading the sources one by one would take most of a start.
 */
export async function buildLocal(): Promise<void> {
  const [service, worker] = await Promise.all([
    build({ ...options, entryPoints: ['infra/local/run.ts'], outfile: SERVICE }),
    build({ ...options, entryPoints: ['shared/adapters/image-worker.ts'], outfile: WORKER }),
  ]);
  await mkdir(dirname(SERVICE), { recursive: true });
  const files = [...worker.outputFiles, ...service.outputFiles];
  await Promise.all(files.map(({ path, contents }) => writeWhole(path, contents)));
  const sources = [service, worker].flatMap(({ metafile }) => sourcesOf(metafile));
  await recordSources(RECORD, [...sources, 'infra/local/build.ts']);
}

/** Another start may read the file meanwhile. */
async function writeWhole(path: string, contents: Uint8Array): Promise<void> {
  const beside = `${path}-${process.pid}`;
  await writeFile(beside, contents);
  await rename(beside, path);
}
