import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import { endpoints } from '#functions/routes.ts';
import { gatewayRouteOf } from '#shared/api/route.ts';
import { listFunctions } from './aws/functions.ts';
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

/** The hosts of the services that functions speak to, by the name of the client. */
const HOSTS: Record<string, string> = {
  'client-dynamodb': 'dynamodb',
  'client-eventbridge': 'events',
  'client-scheduler': 'scheduler',
  'client-sesv2': 'email',
};
const REGION_ENDPOINT = fileURLToPath(import.meta.resolve('./aws/region-endpoint.ts'));

/**
 * Registrations of errors that nobody tells apart from others: those of operations on whole tables, which no function
 * performs, and all of the bus, whose failures are only logged.
 */
const UNUSED_ERRORS: Record<string, RegExp> = {
  'client-dynamodb':
    /^\w+\.registerError\(\w*(Backup|Export|Import|GlobalTable|Replica[AN]|PointInTime|TableAlready|TableInUse|TableNot|Policy|InvalidRestore|IndexNot|DuplicateItem)\w*\$, \w+\);$/gm,
  'client-eventbridge': /^n0_registry\.registerError\(\w+\$, \w+\);$/gm,
};
/** The description of a shape: only what is known to have no effect is left out where nobody uses it. */
const SHAPE = /^((?:export )?var [\w$]+ = )(\[[\s\S]*?\]);$/gm;

/** Of its own package file a client of the SDK needs the version, of endpoints one, of errors the names; Node brings SHA-256. */
const lessOfTheSdk: Plugin = {
  name: 'less-of-the-sdk',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules[\\/]@aws-sdk[\\/][^\\/]+[\\/]package\.json$/ }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
    onLoad(
      { filter: /[\\/]client-[a-z0-9]+[\\/]dist-es[\\/]endpoint[\\/]endpointResolver\.js$/ },
      ({ path }) => {
        const host = HOSTS[basename(dirname(dirname(dirname(path))))];
        if (!host) return undefined;
        const contents = `import { endpointOf } from ${JSON.stringify(REGION_ENDPOINT)};
        export const defaultEndpointResolver = endpointOf(${JSON.stringify(host)});`;
        return { contents, loader: 'js' };
      },
    );
    onLoad({ filter: /[\\/]client-[a-z0-9]+[\\/]dist-es[\\/]schemas[\\/]schemas_0\.js$/ }, ({ path }) => {
      const unused = UNUSED_ERRORS[basename(dirname(dirname(dirname(path))))];
      if (!unused) return undefined;
      const contents = readFileSync(path, 'utf8')
        .replace(unused, '')
        .replace(SHAPE, '$1/* @__PURE__ */ (() => ($2))();');
      return { contents, loader: 'js' };
    });
    // Only the rules that region-endpoint.ts stands in for ask what the partitions of AWS are like.
    onLoad({ filter: /[\\/]util-endpoints[\\/]lib[\\/]aws[\\/]partitions\.js$/ }, () => ({
      contents: "export const partitionsInfo = { partitions: [], version: '1.1' };",
    }));
    onLoad({ filter: /[\\/]client-[a-z0-9]+[\\/]dist-es[\\/]models[\\/]errors\.js$/ }, ({ path }) => ({
      contents: shortErrors(readFileSync(path, 'utf8')),
      loader: 'js',
    }));
    onLoad({ filter: /[\\/]sha256[\\/]Sha256Js\.js$/ }, () => ({ contents: 'export class Sha256Js {}' }));
  },
};

/** The same error classes as those of a client's generated file, each of which spells out what it has in common. */
function shortErrors(source: string): string {
  const base = /^import \{ (\w+) as __BaseException \} from "(.+)";/m.exec(source);
  const classes = source.matchAll(
    /export class (\w+) extends __BaseException \{[^}]*?\$fault = "(\w+)";([^}]*)/g,
  );
  const lines = [...classes].map(([, name, fault, rest = '']) => {
    const retryable = rest.includes('$retryable') ? ', {}' : '';
    return `export const ${name} = declare('${name}', '${fault}'${retryable});`;
  });
  if (!base || lines.length === 0)
    throw new Error('A client of the SDK declares its errors in another way now');
  return `import { ${base[1]} as Base } from '${base[2]}';
    const declare = (name, $fault, $retryable) => class extends Base {
      constructor(options) {
        super({ ...options, name, $fault });
        Object.assign(this, options, { name, $fault }, $retryable && { $retryable });
        Object.setPrototypeOf(this, new.target.prototype);
      }
    };
    ${lines.join('\n')}`;
}

/** Some libraries are CommonJS and call `require`, which ES modules do not have. */
const REQUIRE = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

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
  plugins: [lessOfTheSdk],
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
  assembleImageLayer(join(folder, 'image-layer'));
  return countBytes(metafile, loaded);
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

/** The library for pictures, which only functions that look at pictures get: its code, and libvips as WebAssembly. */
function assembleImageLayer(folder: string): void {
  const library = join(folder, 'wasm-vips');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(library, { recursive: true });
  for (const name of ['vips-node.mjs', 'vips.wasm'])
    copyFileSync(join(dirname(fileURLToPath(import.meta.resolve('wasm-vips'))), name), join(library, name));
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
