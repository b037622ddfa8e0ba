import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import {
  FALLBACK_USES,
  type FunctionEntry,
  type FunctionUses,
  listFunctions,
  usesOf,
} from '#infra/aws/functions.ts';
import { getWorkerUses, workerUses } from '#infra/aws/worker-uses.ts';
import { describeService } from '#infra/openapi/service-document.ts';
import { gatewayRouteOf } from '#shared/api/route.ts';
import { APART, writeAssets } from './assets.ts';
import { groupFunctions } from './groups.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Some libraries are CommonJS and call `require`, which ES modules lack. */
const REQUIRE = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

/** A separate package lets every output import them by the same name, wherever it is. */
const APART_IMPORTS = { imports: { '#apart/*': './apart/*' } };

/**
 * Modules with an SDK client are bundled separately: the clients' common code is in files with many exports, and
 * with shared chunks every function would load all that any client needs.
 */
export const loadApart: Plugin = {
  name: 'load-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^(?:\.|#shared\/adapters)\/aws-[a-z]+\.ts$/ }, ({ kind, path }) => {
      const name = basename(path, '.ts');
      const isApart = kind === 'dynamic-import' && APART.includes(name);
      return isApart ? { path: `#apart/${name}.mjs`, external: true } : undefined;
    });
  },
};

/** The bundle options for all code that runs in functions. */
export const bundleOptions: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  // The SDK's ES modules can be tree-shaken.
  mainFields: ['module', 'main'],
  platform: 'node',
  target: 'node24',
  legalComments: 'none',
  banner: { js: REQUIRE },
};

export interface BuiltFunctions {
  /** The bytes that each function loads at its start: its own file and all chunks. */
  bytesByFunction: Record<string, number>;
  /** The additional bytes of modules that are loaded on demand, by source path; the most of all groups. */
  bytesByLatePart: Record<string, number>;
}

/**
 * Bundles all functions, group by group, into `<folder>/functions`, with source maps in `<folder>/maps`, and the files
 * of each function in `<folder>/assets/<function>`, which a deployment uploads. `plugins` come before
 * the plugins of the build.
 */
export async function buildFunctions(folder: string, plugins: Plugin[] = []): Promise<BuiltFunctions> {
  const list = listFunctions();
  const { endpoints: operations } = list;
  const functionsFolder = join(folder, 'functions');
  const bundles = [];
  for (const entries of groupFunctions(list))
    bundles.push(await bundleTogether(entries, functionsFolder, plugins));
  for (const part of ['functions', 'maps']) rmSync(join(folder, part), { recursive: true, force: true });
  for (const { outputFiles, loaded } of bundles)
    writeOutputs(outputFiles, functionsFolder, join(folder, 'maps'), new Set([...loaded.values()].flat()));
  writeFileSync(
    join(functionsFolder, 'routes.json'),
    JSON.stringify(
      Object.fromEntries(operations.map(({ name, endpoint }) => [gatewayRouteOf(endpoint), name])),
    ),
  );
  writeFileSync(join(functionsFolder, 'openapi.json'), JSON.stringify(describeService()));
  writeFileSync(join(functionsFolder, 'package.json'), JSON.stringify({ type: 'module', ...APART_IMPORTS }));
  await assembleImageLayer(join(folder, 'image-layer'));
  const counted = bundles.map(({ metafile, loaded }) => countBytes(metafile, loaded));
  const apart = await buildApart(functionsFolder, join(folder, 'maps'), plugins);
  const usesByName = listUses();
  const outputs = Object.assign({}, ...bundles.map(({ metafile }) => metafile.outputs));
  const functions = Object.keys(outputs)
    .filter((file) => isFunction(file, outputs))
    .map((output) => ({ output, uses: usesByName[basename(output, '.mjs')] ?? { table: 'none' as const } }));
  writeAssets(folder, functions, outputs);
  return {
    bytesByFunction: Object.assign({}, ...counted.map(({ bytesByFunction }) => bytesByFunction)),
    bytesByLatePart: { ...mostOf(counted.map(({ bytesByLatePart }) => bytesByLatePart)), ...apart },
  };
}

/** For each name its largest number. */
function mostOf(counts: Record<string, number>[]): Record<string, number> {
  const most: Record<string, number> = {};
  for (const [name, count] of counts.flatMap(Object.entries<number>))
    most[name] = Math.max(most[name] ?? 0, count);
  return most;
}

/** Functions that share parts. */
async function bundleTogether(
  entries: FunctionEntry[],
  functionsFolder: string,
  plugins: Plugin[],
): Promise<Bundled & { loaded: Map<string, string[]> }> {
  const result = await build({
    ...bundleOptions,
    plugins: [...plugins, loadApart],
    entryPoints: entries.map(({ name, file }) => ({ in: file, out: name })),
    outdir: functionsFolder,
    chunkNames: 'parts/[hash]',
    sourcemap: 'external',
    metafile: true,
    write: false,
  });
  const bundled = dropIdleRequires(result);
  return { ...bundled, loaded: findLoaded(bundled.metafile) };
}

/** What functions use if everything is configured. */
function listUses(): Record<string, FunctionUses> {
  const { endpoints: operations, workers, sockets, fallback } = listFunctions();
  const uses = workerUses(true);
  return Object.fromEntries([
    ...operations.map(({ name, endpoint }) => [name, usesOf(endpoint)]),
    ...[...workers, ...sockets].map(({ name }) => [name, getWorkerUses(uses, name)]),
    ...(fallback ? [[fallback.name, FALLBACK_USES]] : []),
  ]);
}

async function buildApart(
  functionsFolder: string,
  mapsFolder: string,
  plugins: Plugin[],
): Promise<Record<string, number>> {
  const { splitting: _, ...options } = bundleOptions;
  const { outputFiles, metafile } = dropIdleRequires(
    await build({
      ...options,
      plugins,
      entryPoints: APART.map((name) => `shared/adapters/${name}.ts`),
      outdir: join(functionsFolder, 'apart'),
      sourcemap: 'external',
      metafile: true,
      write: false,
    }),
  );
  const all = Object.keys(metafile.outputs);
  writeOutputs(outputFiles, functionsFolder, mapsFolder, new Set(all));
  return Object.fromEntries(
    Object.values(metafile.outputs).flatMap(({ entryPoint, bytes }) =>
      entryPoint === undefined ? [] : [[entryPoint, bytes]],
    ),
  );
}

interface Bundled {
  outputFiles: OutputFile[];
  metafile: Metafile;
}

/**
 * Every output starts with the lines that define `require`; most never call it. Line numbers stay as in the
 * source maps.
 */
function dropIdleRequires({ outputFiles, metafile }: Bundled): Bundled {
  const outputs = { ...metafile.outputs };
  const kept = outputFiles.map((file) => {
    const name = relative(ROOT, file.path).replaceAll('\\', '/');
    const output = outputs[name];
    const rest = file.text.slice(REQUIRE.length);
    if (!output || !file.text.startsWith(REQUIRE) || /\brequire\b/.test(rest)) return file;
    const contents = Buffer.from(rest);
    outputs[name] = { ...output, bytes: contents.length };
    return { ...file, path: file.path, contents };
  });
  return { outputFiles: kept, metafile: { ...metafile, outputs } };
}

/** The library is beside the worker thread's file. */
const findLibraryBeside: Plugin = {
  name: 'find-library-beside',
  setup({ onResolve }) {
    onResolve({ filter: /^wasm-vips$/ }, () => ({ path: './vips-node.mjs', external: true }));
  },
};

/** The layer for functions that process pictures: the worker thread, and libvips as WebAssembly. */
async function assembleImageLayer(folder: string): Promise<void> {
  const library = join(folder, 'wasm-vips');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(library, { recursive: true });
  for (const name of ['vips-node.mjs', 'vips.wasm'])
    copyFileSync(join(dirname(fileURLToPath(import.meta.resolve('wasm-vips'))), name), join(library, name));
  const { splitting: _, banner: __, ...options } = bundleOptions;
  await build({
    ...options,
    plugins: [findLibraryBeside],
    entryPoints: ['shared/adapters/image-worker.ts'],
    outfile: join(library, 'image-worker.mjs'),
  });
}

/** The outputs that functions and on-demand modules load at their start, by their own output. */
function findLoaded({ outputs }: Metafile): Map<string, string[]> {
  const loaded = new Map<string, string[]>();
  const entries = Object.keys(outputs).filter((file) => isFunction(file, outputs));
  for (const entry of entries) {
    if (loaded.has(entry)) continue;
    const { files, late } = reachFrom(entry, outputs);
    loaded.set(entry, files);
    entries.push(...late);
  }
  return loaded;
}

/** The outputs that an entry point loads at its start, and its imports on demand. */
function reachFrom(entry: string, outputs: Metafile['outputs']): { files: string[]; late: string[] } {
  const files = new Set([entry]);
  const late: string[] = [];
  for (const file of files)
    for (const { path, external, kind } of outputs[file]?.imports ?? []) {
      if (external) continue;
      if (kind === 'dynamic-import') late.push(path);
      else files.add(path);
    }
  return { files: [...files], late };
}

// A dynamic import makes its target an entry point too, but entry points of functions are named after them.
const isFunction = (file: string, outputs: Metafile['outputs']): boolean =>
  outputs[file]?.entryPoint?.startsWith('functions/') === true && !file.includes('/parts/');

function countBytes({ outputs }: Metafile, loaded: Map<string, string[]>): BuiltFunctions {
  const sum = (files: string[]): number =>
    files.reduce((bytes, file) => bytes + (outputs[file]?.bytes ?? 0), 0);
  const functions = [...loaded].filter(([entry]) => isFunction(entry, outputs));
  const late = [...loaded].filter(([entry]) => !isFunction(entry, outputs));
  const isCommon = (file: string): boolean => functions.every(([, files]) => files.includes(file));
  return {
    bytesByFunction: Object.fromEntries(
      functions.map(([entry, files]) => [basename(entry, '.mjs'), sum(files)]),
    ),
    bytesByLatePart: Object.fromEntries(
      late.map(([entry, files]) => [
        outputs[entry]?.entryPoint ?? entry,
        sum(files.filter((file) => !isCommon(file))),
      ]),
    ),
  };
}

/**
 * Writes outputs that some function can load: the bundler also emits some whose only importer was dropped.
 */
function writeOutputs(
  outputFiles: OutputFile[],
  functionsFolder: string,
  mapsFolder: string,
  loaded: Set<string>,
): void {
  const loadedPaths = new Set([...loaded].map((file) => resolve(ROOT, file)));
  for (const { path, contents } of outputFiles) {
    if (!loadedPaths.has(path.replace(/\.map$/, ''))) continue;
    const target = path.endsWith('.map') ? path.replace(functionsFolder, mapsFolder) : path;
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, contents);
  }
}

if (import.meta.main) {
  const { bytesByFunction, bytesByLatePart } = await buildFunctions(resolve('dist'));
  for (const [name, bytes] of [...Object.entries(bytesByFunction), ...Object.entries(bytesByLatePart)])
    console.log(`${String(bytes).padStart(8)} ${name}`);
}
