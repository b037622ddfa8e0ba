import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import { endpoints } from '#functions/routes.ts';
import { gatewayRouteOf } from '#shared/api/route.ts';
import { listFunctions } from './aws/functions.ts';
import { lessOfTheSdk } from './less-of-the-sdk.ts';
import { lessOfXss } from './less-of-xss.ts';
import { describeService } from './openapi/service-document.ts';

const ROOT = join(import.meta.dirname, '..');

/** Parts of libraries that no function needs; each replacement says why. */
const REPLACEMENTS = {
  '@aws-sdk/credential-provider-node': import.meta.resolve('./aws/env-credentials.ts'),
  '@aws-sdk/endpoint-cache': import.meta.resolve('./aws/no-endpoint-cache.ts'),
  '@smithy/core/event-streams': import.meta.resolve('./aws/no-event-streams.ts'),
  '@aws-sdk/signature-v4-multi-region': import.meta.resolve('./aws/single-region-signer.ts'),
  '@aws/lambda-invoke-store': import.meta.resolve('./aws/no-invoke-store.ts'),
  bowser: import.meta.resolve('./aws/no-browser-names.ts'),
  'punycode.js': import.meta.resolve('./aws/punycode-of-node.ts'),
  cssfilter: import.meta.resolve('./aws/no-css-filter.ts'),
};
const alias = Object.fromEntries(
  Object.entries(REPLACEMENTS).map(([name, url]) => [name, fileURLToPath(url)]),
);

/** Some libraries are CommonJS and call `require`, which ES modules do not have. */
const REQUIRE = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

/**
 * Parts that bring a client of the SDK along, bundled each for itself: what clients have in common lies in files that
 * export much, and a bundler which shares files would have every function load all that any client needs of them.
 */
const APART = ['aws-bus', 'aws-mail', 'aws-scheduler'];

/** A package of its own lets every output name them alike, wherever it lies. */
const APART_IMPORTS = { imports: { '#apart/*': './apart/*' } };

const loadApart: Plugin = {
  name: 'load-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/aws-[a-z]+\.ts$/ }, ({ kind, path }) => {
      const name = basename(path, '.ts');
      const isApart = kind === 'dynamic-import' && APART.includes(name);
      return isApart ? { path: `#apart/${name}.mjs`, external: true } : undefined;
    });
  },
};

/** How everything that runs in a function is bundled. */
export const bundleOptions: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  // The ES modules of the SDK leave out what nobody imports.
  mainFields: ['module', 'main'],
  platform: 'node',
  target: 'node24',
  legalComments: 'none',
  alias,
  plugins: [lessOfTheSdk, lessOfXss],
  banner: { js: REQUIRE },
};

export interface BuiltFunctions {
  /** What a function loads when it starts, its own file and all chunks, by the name of the function. */
  bytesByFunction: Record<string, number>;
  /** What a part adds that functions load when they first need it, by the path of its source. */
  bytesByLatePart: Record<string, number>;
}

/** Bundles every function in one call into `<folder>/functions`, source maps apart in `<folder>/maps`. */
export async function buildFunctions(folder = join(ROOT, 'dist')): Promise<BuiltFunctions> {
  const { endpoints: operations, workers, fallback } = listFunctions();
  const entries = [...operations, ...workers, ...(fallback ? [fallback] : [])];
  const functionsFolder = join(folder, 'functions');
  const result = await build({
    ...bundleOptions,
    plugins: [loadApart, ...(bundleOptions.plugins ?? [])],
    entryPoints: entries.map(({ name, file }) => ({ in: file, out: name })),
    outdir: functionsFolder,
    chunkNames: 'parts/[hash]',
    sourcemap: 'external',
    metafile: true,
    write: false,
  });
  const { outputFiles, metafile } = dropIdleRequires(result);
  const loaded = findLoaded(metafile);
  for (const one of ['functions', 'maps']) rmSync(join(folder, one), { recursive: true, force: true });
  writeOutputs(outputFiles, functionsFolder, join(folder, 'maps'), new Set([...loaded.values()].flat()));
  writeFileSync(
    join(functionsFolder, 'routes.json'),
    JSON.stringify(Object.values(endpoints).map(gatewayRouteOf)),
  );
  writeFileSync(join(functionsFolder, 'openapi.json'), JSON.stringify(describeService()));
  writeFileSync(join(functionsFolder, 'package.json'), JSON.stringify({ type: 'module', ...APART_IMPORTS }));
  await assembleImageLayer(join(folder, 'image-layer'));
  const { bytesByFunction, bytesByLatePart } = countBytes(metafile, loaded);
  const apart = await buildApart(functionsFolder, join(folder, 'maps'));
  return { bytesByFunction, bytesByLatePart: { ...bytesByLatePart, ...apart } };
}

async function buildApart(functionsFolder: string, mapsFolder: string): Promise<Record<string, number>> {
  const { splitting: _, ...options } = bundleOptions;
  const { outputFiles, metafile } = dropIdleRequires(
    await build({
      ...options,
      entryPoints: APART.map((name) => `shared/runtime/${name}.ts`),
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

/** Every output begins with the lines that make `require`; most never call it. Lines stay where source maps say. */
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

/** Beside the thread that uses it lies the library. */
const findLibraryBeside: Plugin = {
  name: 'find-library-beside',
  setup({ onResolve }) {
    onResolve({ filter: /^wasm-vips$/ }, () => ({ path: './vips-node.mjs', external: true }));
  },
};

/** What only functions that look at pictures get: the thread that does so, and libvips as WebAssembly. */
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
    entryPoints: ['shared/runtime/image-worker.ts'],
    outfile: join(library, 'image-worker.mjs'),
  });
}

/** The outputs that functions, and the parts that are loaded late, load at once when they start, by their own output. */
function findLoaded({ outputs }: Metafile): Map<string, string[]> {
  const loaded = new Map<string, string[]>();
  const start = (entry: string): void => {
    if (loaded.has(entry)) return;
    const seen = new Set<string>();
    const late: string[] = [];
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const { path, external, kind } of outputs[file]?.imports ?? [])
        if (!external) kind === 'dynamic-import' ? late.push(path) : visit(path);
    };
    visit(entry);
    loaded.set(entry, [...seen]);
    late.forEach(start);
  };
  Object.keys(outputs)
    .filter((file) => isFunction(file, outputs))
    .forEach(start);
  return loaded;
}

// A dynamic import makes its target an entry as well, but that of a function is named after it.
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

/** Writes what some function can load: the bundler also emits parts whose only user it has dropped. */
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
  const { bytesByFunction, bytesByLatePart } = await buildFunctions();
  for (const [name, bytes] of [...Object.entries(bytesByFunction), ...Object.entries(bytesByLatePart)])
    console.log(`${String(bytes).padStart(8)} ${name}`);
}
