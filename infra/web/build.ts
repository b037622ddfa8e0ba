import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type OutputFile } from 'esbuild';
import { recordSources, sourcesOf } from '#infra/build/built-from.ts';
import { byName } from '../by-name.ts';
import { readCommandLine } from '../command-line.ts';
import { DIST, WEB_RECORD } from './built.ts';
import { emojiTable } from './emoji-table.ts';
import { firstChunk } from './first-chunk.ts';
import { texts } from './texts.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Browsers of the last three years; older ones get the page of `noscript` at best. */
const TARGETS = ['chrome123', 'edge123', 'firefox125', 'safari17.5'];

const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wav': 'audio/wav',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Fonts and pictures are compressed already. */
const COMPRESSED = ['.css', '.html', '.js', '.json', '.svg', '.webmanifest'];

/** The module that the main script loads once the language is known; English has nothing to wait for. */
const APP = 'web/views/app.tsx';
/** Runs before all other scripts, which share it. */
const FIRST = 'web/net/first-register.ts';
/** The font of the first text. */
const FONT = /inter-latin-wght-normal-[^/]+\.woff2$/;

/** The service worker. It is at the root, since it controls only pages below its own path. */
const WORKER = 'web/worker/service-worker.ts';
/** Files that a browser gets before it needs them, so that the client opens without network. */
const KEPT_OFFLINE = /\.(?:js|css|svg)$|\/inter-latin(?:-ext)?-[^/]+\.woff2$/;
/** The placeholder of the version in the page. */
const VERSION_MARK = 'VERSION';

const APPLE_ICON = 'web/icons/app-apple.png';
/** What `draw-icons.ts` draws. */
const APP_ICONS = [
  { entry: 'web/icons/app-192.png', size: 192, purpose: 'any' },
  { entry: 'web/icons/app-512.png', size: 512, purpose: 'any' },
  { entry: 'web/icons/app-maskable.png', size: 512, purpose: 'maskable' },
  { entry: APPLE_ICON, size: 180, purpose: 'any' },
];

/** Notification sounds by their protocol names. Other clients request them by the same paths. */
const SOUNDS = ['ding', 'zulip'].map((name) => `static/audio/notification_sounds/${name}.wav`);

/** Files that the build reads itself. */
const OTHER_SOURCES = [
  ...SOUNDS.map((path) => `web/${path}`),
  'web/index.html',
  'web/texts/en.ts',
  'infra/web/build.ts',
  'infra/web/emoji-table.ts',
  'infra/web/first-chunk.ts',
  'infra/web/texts.ts',
];

/** One file of the web client, as `manifest.json` lists it. */
export interface WebFile {
  /** Path below the folder, with `/`. */
  path: string;
  contentType: string;
  bytes: number;
  /** Whether compressed versions with `.br` and `.gz` exist. */
  isCompressed: boolean;
  /** The size with brotli, if compressed. */
  brotliBytes?: number;
}

export interface BuiltWeb {
  files: WebFile[];
  /** The compressed size of the scripts that the page needs before it shows anything. */
  firstScriptBytes: number;
  /** The files that it was made from, as paths from the root. */
  sources: string[];
}

const options = {
  absWorkingDir: ROOT,
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: TARGETS,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  alias: { react: 'preact/compat', 'react-dom': 'preact/compat', 'react/jsx-runtime': 'preact/jsx-runtime' },
  loader: {
    '.woff2': 'file',
    '.woff': 'empty',
    '.ttf': 'empty',
    '.svg': 'file',
    '.png': 'file',
  },
  legalComments: 'none',
  plugins: [emojiTable, texts, firstChunk(APP)],
  entryNames: 'assets/[name]-[hash]',
  chunkNames: 'assets/[name]-[hash]',
  assetNames: 'assets/[name]-[hash]',
  publicPath: '/',
  metafile: true,
  write: false,
} satisfies BuildOptions;

/**
 * Builds the web client into `<folder>/web`: `index.html`, files under `assets/` with hashes in their names,
 * texts also as `.br` and `.gz`, and `manifest.json`, the list of all.
 */
export async function buildWeb(folder: string): Promise<BuiltWeb> {
  const target = join(folder, 'web');
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: [
      'web/main.tsx',
      FIRST,
      'web/styles/main.css',
      'web/styles/katex.css',
      'web/icon.svg',
      ...APP_ICONS.map(({ entry }) => entry),
    ],
    outdir: target,
  });
  const worker = await bundleWorker();
  const nameOf = (entry: string): string => outputOf(metafile, entry);
  const webmanifest = describeApp(nameOf);
  const assets = outputFiles.filter(isWanted);
  const kept = assets.map((file) => `/${pathOf(file, target)}`).filter((path) => KEPT_OFFLINE.test(path));
  const draft = await writePage(metafile, nameOf);
  const sounds = await Promise.all(
    SOUNDS.map(async (path) => ({ path, contents: await readFile(join(ROOT, 'web', path)) })),
  );
  const version = versionOf(
    draft,
    worker.text,
    ...kept.toSorted(),
    ...sounds.map(({ contents }) => contents.toString('base64')),
  );
  const page = draft.replace(VERSION_MARK, version);
  const texts = [
    ...assets.map((file) => ({ path: pathOf(file, target), contents: file.contents })),
    { path: 'assets/app.webmanifest', contents: Buffer.from(webmanifest) },
    { path: 'sw.js', contents: Buffer.from(withBuilt(worker.text, { version, files: kept.toSorted() })) },
    { path: 'index.html', contents: Buffer.from(page) },
  ];
  const main = nameOf('web/main.tsx');
  const files = (await findBuilt(target, page)) ?? (await writeFiles(target, [...texts, ...sounds]));
  const sources = [...sourcesOf(metafile), ...sourcesOf(worker.metafile), ...OTHER_SOURCES];
  return { files, firstScriptBytes: sumFirstScripts(metafile, files, main), sources };
}

/** Builds the web client into the local service's folder, and records the sources. */
export async function buildRecordedWeb(): Promise<BuiltWeb> {
  const built = await buildWeb(DIST);
  await recordSources(WEB_RECORD, built.sources);
  return built;
}

/** The service worker, without the values that the build adds to it. */
async function bundleWorker(): Promise<{ text: string; metafile: Metafile }> {
  const { absWorkingDir, bundle, minify, target, legalComments, metafile, write } = options;
  const built = await build({
    ...{ absWorkingDir, bundle, minify, target, legalComments, metafile, write },
    entryPoints: [WORKER],
    format: 'iife',
    outdir: 'sw',
  });
  return { text: built.outputFiles[0]?.text ?? '', metafile: built.metafile };
}

const withBuilt = (worker: string, built: { version: string; files: string[] }): string =>
  `const BUILT=${JSON.stringify(built)};\n${worker}`;

/** A new version for each change of the delivered files. */
const versionOf = (...texts: string[]): string =>
  createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 16);

/** The existing build, if it is the same: the page names every other file by its hash. */
async function findBuilt(target: string, page: string): Promise<WebFile[] | undefined> {
  try {
    if ((await readFile(join(target, 'index.html'), 'utf8')) !== page) return undefined;
    return JSON.parse(await readFile(join(target, 'manifest.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Writes to a new folder and then swaps it, so that a running service finds either all old files or all new
 * ones.
 */
async function writeFiles(
  target: string,
  texts: { path: string; contents: Uint8Array }[],
): Promise<WebFile[]> {
  const beside = `${target}-${process.pid}`;
  for (const { path } of texts) await mkdir(dirname(join(beside, path)), { recursive: true });
  const files = await Promise.all(texts.map((text) => writeCompressed(beside, text.path, text.contents)));
  files.sort((file, other) => byName(file.path, other.path));
  await writeFile(join(beside, 'manifest.json'), JSON.stringify(files));
  await rm(target, { recursive: true, force: true });
  await rename(beside, target);
  return files;
}

/** esbuild also makes scripts that no page loads: one for each picture, and one that only re-exports a shared chunk. */
const isWanted = (file: OutputFile): boolean =>
  !/\/(icon|first-register|app-(?:192|512|maskable|apple))-[A-Z0-9]+\.js$/.test(file.path);

const pathOf = ({ path }: OutputFile, target: string): string =>
  path.slice(target.length + 1).replaceAll('\\', '/');

/** The path of an entry's output, as the page refers to it. */
function outputOf({ outputs }: Metafile, entry: string): string {
  const isAsset = (path: string): boolean => !path.endsWith('.js') || entry.endsWith('.tsx');
  const found = Object.entries(outputs).find(
    ([path, { entryPoint, inputs }]) =>
      isAsset(path) && (entryPoint === entry || soleInput(inputs) === entry),
  );
  if (!found) throw new Error(`The build gave nothing for ${entry}.`);
  return found[0].slice(found[0].indexOf('assets/'));
}

/** The chunk that holds a script which several entries share. */
function sharedOutputOf({ outputs }: Metafile, entry: string): string {
  const found = Object.entries(outputs).find(([, { inputs }]) => (inputs[entry]?.bytesInOutput ?? 0) > 0);
  if (!found) throw new Error(`No script holds ${entry}.`);
  return found[0].slice(found[0].indexOf('assets/'));
}

function fontOf({ outputs }: Metafile): string {
  const found = Object.keys(outputs).find((path) => FONT.test(path));
  if (!found) throw new Error('The build has no font.');
  return found.slice(found.indexOf('assets/'));
}

const soleInput = (inputs: Metafile['outputs'][string]['inputs']): string | undefined => {
  const names = Object.keys(inputs);
  return names.length === 1 ? names[0] : undefined;
};

async function writePage(metafile: Metafile, nameOf: (entry: string) => string): Promise<string> {
  const main = nameOf('web/main.tsx');
  const head = [
    `<script type="module" async src="/${sharedOutputOf(metafile, FIRST)}"></script>`,
    `<link rel="icon" href="/${nameOf('web/icon.svg')}" type="image/svg+xml">`,
    `<link rel="apple-touch-icon" href="/${nameOf(APPLE_ICON)}">`,
    '<link rel="manifest" href="/assets/app.webmanifest">',
    `<meta name="version" content="${VERSION_MARK}">`,
    `<link rel="stylesheet" href="/${nameOf('web/styles/main.css')}">`,
    `<link rel="preload" href="/${fontOf(metafile)}" as="font" type="font/woff2" crossorigin>`,
    ...firstScripts(metafile, main).map((path) => `<link rel="modulepreload" href="/${path}">`),
    `<meta name="katex-stylesheet" content="/${nameOf('web/styles/katex.css')}">`,
    `<script type="module" src="/${main}"></script>`,
  ];
  const template = await readFile(join(ROOT, 'web', 'index.html'), 'utf8');
  return template.replace('<!-- head -->', head.join('\n    '));
}

const describeApp = (nameOf: (entry: string) => string): string =>
  JSON.stringify({
    id: '/',
    name: 'Team Chat',
    short_name: 'Team Chat',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#fcfcfd',
    theme_color: '#fcfcfd',
    icons: [
      { src: `/${nameOf('web/icon.svg')}`, sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      ...APP_ICONS.filter(({ entry }) => entry !== APPLE_ICON).map(({ entry, size, purpose }) => ({
        src: `/${nameOf(entry)}`,
        sizes: `${size}x${size}`,
        type: 'image/png',
        purpose,
      })),
    ],
  });

async function writeCompressed(target: string, path: string, contents: Uint8Array): Promise<WebFile> {
  const extension = extname(path);
  const contentType = CONTENT_TYPES[extension];
  if (!contentType) throw new Error(`${path} has no content type.`);
  const isCompressed = COMPRESSED.includes(extension);
  await writeFile(join(target, path), contents);
  const file: WebFile = { path, contentType, bytes: contents.length, isCompressed };
  if (!isCompressed) return file;
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(contents, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: contents.length } }),
    promisify(gzip)(contents, { level: 9 }),
  ]);
  await Promise.all([
    writeFile(join(target, `${path}.br`), brotli),
    writeFile(join(target, `${path}.gz`), zipped),
  ]);
  return { ...file, brotliBytes: brotli.length };
}

/** The scripts that the main script needs before it shows anything. */
function firstScripts({ outputs }: Metafile, main: string): string[] {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    const imports = Object.entries(outputs).find(([file]) => file.endsWith(path))?.[1].imports ?? [];
    for (const { path: next, kind } of imports) {
      const name = next.slice(next.indexOf('assets/'));
      const isFirst = kind === 'import-statement' || outputs[next]?.entryPoint === APP;
      if (!isFirst || seen.has(name)) continue;
      seen.add(name);
      visit(name);
    }
  };
  visit(main);
  return [...seen];
}

function sumFirstScripts(metafile: Metafile, files: WebFile[], main: string): number {
  const paths = [main, ...firstScripts(metafile, main)];
  return files
    .filter(({ path }) => paths.includes(path))
    .reduce((sum, { brotliBytes, bytes }) => sum + (brotliBytes ?? bytes), 0);
}

/** Its size, its compressed size if it has one, and its path, in columns. */
const describeFile = ({ path, bytes, brotliBytes }: WebFile): string =>
  `${String(bytes).padStart(8)} ${String(brotliBytes ?? '').padStart(8)} ${path}`;

/** Each file in a line, and then how much of them a page loads before it shows anything. */
export const describeBuild = ({ files, firstScriptBytes }: BuiltWeb): string =>
  [...files.map(describeFile), `First load: ${firstScriptBytes} bytes of compressed script.`].join('\n');

const HELP = `Usage: npm run build:web

Builds the web client into dist/web, and prints the size of each file and of the first load.

Options:
  --help  print this text

Example:
  npm run build:web`;

if (import.meta.main) {
  readCommandLine(HELP);
  console.log(describeBuild(await buildRecordedWeb()));
}
