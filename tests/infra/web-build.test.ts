import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildWeb, describeBuild } from '#infra/web/build.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { runNode } from './run-node.ts';

const SOUNDS = ['ding', 'zulip'].map((name) => `static/audio/notification_sounds/${name}.wav`);
const BUILD_TIMEOUT_MS = 60_000;
const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wav': 'audio/wav',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};
/** The main script, that of the first view, and the parts that each shares with the other or with the registration. */
const MOST_FIRST_SCRIPTS = 5;
const IS_TEXT = /\.(css|html|js|svg|webmanifest)$/;

const inBuild = (path: string): string => join(folder, 'web', path);
const folder = join(temporaryFolder('web'), 'dist');
const built = await buildWeb(folder);
const page = await readFile(inBuild('index.html'), 'utf8');

/** The files of the build that a text names. */
const namedIn = (text: string): string[] =>
  built.files.filter(({ path }) => text.includes(path.replace('assets/', ''))).map(({ path }) => path);

describe('The built web client', () => {
  test('Lists its files by path, and contains only these, texts in three encodings', async () => {
    expect(JSON.parse(await readFile(inBuild('manifest.json'), 'utf8'))).toEqual(built.files);
    const paths = built.files.map(({ path }) => path);
    expect(paths).toEqual(paths.toSorted());
    const forms = paths.flatMap((path) => (IS_TEXT.test(path) ? [path, `${path}.br`, `${path}.gz`] : [path]));
    const there = await readdir(join(folder, 'web'), { recursive: true, withFileTypes: true });
    const found = there.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
    expect(found.sort()).toEqual([...forms, 'manifest.json'].map(inBuild).sort());
    expect(await readdir(folder)).toEqual(['web']);
  });

  test('Lists each file with its type and sizes', async () => {
    for (const { path, contentType, bytes, isCompressed, brotliBytes } of built.files) {
      const content = await readFile(inBuild(path));
      expect([path, contentType, bytes]).toEqual([path, TYPES[extname(path)], content.length]);
      expect([path, isCompressed]).toEqual([path, IS_TEXT.test(path)]);
      if (!isCompressed) continue;
      const brotli = await readFile(inBuild(`${path}.br`));
      expect([path, brotliBytes]).toEqual([path, brotli.length]);
      expect(brotliDecompressSync(brotli).equals(content), path).toBe(true);
      expect(gunzipSync(await readFile(inBuild(`${path}.gz`))).equals(content), path).toBe(true);
    }
  });

  test('Has only files that its page leads to, with content hashes except for files requested by name', async () => {
    const reached = new Set<string>();
    // The browser requests the worker, and clients request the sounds, by their names.
    for (let next = ['index.html', 'sw.js', ...SOUNDS]; next.length > 0; ) {
      for (const path of next) reached.add(path);
      const texts = await Promise.all(
        next.filter((path) => IS_TEXT.test(path)).map((path) => readFile(inBuild(path), 'utf8')),
      );
      next = [...new Set(texts.flatMap(namedIn))].filter((path) => !reached.has(path));
    }
    expect([...reached].sort()).toEqual(built.files.map(({ path }) => path));
    const nameless = built.files.filter(({ path }) => !/-[A-Z0-9]{8}\.\w+$/.test(path));
    expect(nameless.map(({ path }) => path)).toEqual(
      ['assets/app.webmanifest', 'index.html', ...SOUNDS, 'sw.js'].toSorted(),
    );
  });

  test('Starts with the few files of its first view, whose size is the first load', async () => {
    const [first] = /<script type="module" async src="\/(.*?)">/.exec(page)?.slice(1) ?? [];
    const [main] = /<script type="module" src="\/(.*?)">/.exec(page)?.slice(1) ?? [];
    const ahead = [...page.matchAll(/<link rel="modulepreload" href="\/(.*?)">/g)].map(([, path]) => path);
    expect(ahead).toContain(first);
    expect(ahead).not.toContain(main);
    const loaded = built.files.filter(({ path }) => path === main || ahead.includes(path));
    expect(loaded).toHaveLength(ahead.length + 1);
    expect(loaded.length).toBeLessThanOrEqual(MOST_FIRST_SCRIPTS);
    expect(built.firstScriptBytes).toBe(loaded.reduce((sum, one) => sum + (one.brotliBytes ?? 0), 0));
    expect(page).toMatch(/<link rel="preload" href="\/assets\/inter-latin-wght-normal-\w+\.woff2" as="font"/);
    expect(page).toMatch(/<link rel="icon" href="\/assets\/icon-\w+\.svg" type="image\/svg\+xml">/);
    expect(page).toMatch(/<link rel="stylesheet" href="\/assets\/main-\w+\.css">/);
    expect(page).toMatch(/<meta name="katex-stylesheet" content="\/assets\/katex-\w+\.css">/);
  });

  test('Can be installed as an app with the icon of the page', async () => {
    const app = JSON.parse(await readFile(inBuild('assets/app.webmanifest'), 'utf8'));
    const [icon] = /<link rel="icon" href="(.*?)"/.exec(page)?.slice(1) ?? [];
    expect(app).toMatchObject({ name: 'Team Chat', start_url: '/', scope: '/', display: 'standalone' });
    const [drawn, ...pictures] = app.icons;
    expect(drawn).toEqual({ src: icon, sizes: 'any', type: 'image/svg+xml', purpose: 'any' });
    const shown = pictures.map(({ sizes, purpose, type }: Record<string, string>) => [sizes, purpose, type]);
    expect(shown).toEqual([
      ['192x192', 'any', 'image/png'],
      ['512x512', 'any', 'image/png'],
      ['512x512', 'maskable', 'image/png'],
    ]);
    const paths = built.files.map(({ path }) => `/${path}`);
    for (const { src } of app.icons) expect(paths).toContain(src);
  });

  test('Gets written again only if it differs', { timeout: BUILD_TIMEOUT_MS }, async () => {
    const { mtimeMs } = await stat(inBuild('manifest.json'));
    expect(await runNode('infra/web/build.ts', [], {}, dirname(folder))).toEqual({
      ...{ status: 0, stdout: `${describeBuild(built)}\n`, stderr: '' },
    });
    expect((await stat(inBuild('manifest.json'))).mtimeMs).toBe(mtimeMs);
    await writeFile(inBuild('index.html'), 'an older page');
    await writeFile(inBuild('assets/old-ABCDEFGH.js'), 'old');
    expect(await buildWeb(folder)).toEqual(built);
    expect(await readFile(inBuild('index.html'), 'utf8')).toBe(page);
    await expect(stat(inBuild('assets/old-ABCDEFGH.js'))).rejects.toThrow('ENOENT');
  });
});
