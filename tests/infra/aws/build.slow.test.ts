import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FileSystem } from 'aws-cdk-lib';
import { build, type Plugin } from 'esbuild';
import { describe, expect, it, vi } from 'vitest';
import { listFunctions } from '#infra/aws/functions.ts';
import { buildFunctions, bundleOptions } from '#infra/build/build.ts';
import { groupFunctions } from '#infra/build/groups.ts';
import { createTable } from '#infra/local/create-table.ts';
import { describeService } from '#infra/openapi/service-document.ts';
import type { HttpEvent } from '#shared/api/http.ts';
import type { Images } from '#shared/runtime/services.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { lookAt, makePicture } from '#tests/harness/pictures.ts';
import { startEngine } from '#tests/harness/wire-engine/engine.ts';
import { ROOT } from '#tests/infra/root.ts';
import { runNode } from '#tests/infra/run-node.ts';
import { digestsOf, filesAtStart, makeBuildFolder, sizeAtStart, stubAws } from './build-outputs.ts';

const { endpoints } = listFunctions();
const groups = groupFunctions(listFunctions());
const names = groups.flat().map(({ name }) => name);
const folder = makeBuildFolder();
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const built = (): string[] =>
  globSync('functions/**', { cwd: folder }).filter((file) => file.endsWith('.mjs'));

const result = await buildFunctions(folder);

/** It has the code of the operations that agents call, and changes with them. */
const AGENTS = 'answer-mcp';

describe('The build', () => {
  it('Produces a bundle of every function', () => {
    expect(Object.keys(result.bytesByFunction).sort()).toEqual(names.sort());
  });

  it('Lets no function load more than 80 files or 560 KB at its start', () => {
    for (const name of names) {
      expect(filesAtStart(folder, name), name).toBeLessThanOrEqual(80);
      expect(sizeAtStart(folder, name), name).toBeLessThanOrEqual(560 * 1024);
    }
  });

  it.each(names)('Turns %s into a module that exports its handler', async (name) => {
    const module = await import(join(folder, 'functions', `${name}.mjs`));
    expect(module.handler).toBeTypeOf('function');
  });

  it('Leaves out the code of the local service and the tools', () => {
    const files = built();
    expect(files.length).toBeGreaterThan(names.length);
    for (const file of files)
      expect(read(file), file).not.toMatch(/dev_fetch_api_key|devFetchApiKey|dynoxide|zuliprc|swagger/i);
    const sources = globSync('maps/**/*.map', { cwd: folder }).flatMap(
      (file) => JSON.parse(read(file)).sources as string[],
    );
    expect(sources.some((source) => source.endsWith('shared/api/lambda.ts'))).toBe(true);
    expect(sources.filter((source) => /infra\/local|infra\/openapi|tests\//.test(source))).toEqual([]);
  });

  it('Defines `require` if a library calls it, and nowhere else', () => {
    for (const file of built()) {
      const [, defined, rest = ''] =
        /^(import\{createRequire\}[^;]*;const require=[^;]*;)?([\s\S]*)$/.exec(read(file)) ?? [];
      expect(defined !== undefined, file).toBe(/\brequire\b/.test(rest));
    }
  });

  it('Keeps source maps out of the deployed files', () => {
    expect(globSync('functions/**/*.map', { cwd: folder })).toEqual([]);
    expect(globSync('maps/**/*.map', { cwd: folder }).length).toBe(built().length);
  });

  it('Produces the same bytes from the same sources, in another folder and process, and reports their number', async () => {
    const again = makeBuildFolder();
    const { stdout, stderr } = await runNode('infra/build/build.ts', [], {}, dirname(again));
    expect(stderr).toBe('');
    const first = digestsOf(folder);
    expect(Object.keys(first).length).toBeGreaterThan(names.length);
    expect(digestsOf(again)).toEqual(first);
    const sizes = { ...result.bytesByFunction, ...result.bytesByLatePart };
    expect(stdout.trimEnd().split('\n').sort()).toEqual(
      Object.entries(sizes)
        .map(([name, bytes]) => `${String(bytes).padStart(8)} ${name}`)
        .sort(),
    );
  });

  it('Contains no path of the sources or of the output', () => {
    const texts = globSync('functions/**/*.{mjs,json}', { cwd: folder }).map((file) => [file, read(file)]);
    // The names of parts are made of the sources in source maps too, of which some are generated.
    const sources = globSync('maps/**/*.map', { cwd: folder }).map((file) => {
      const { sourcesContent } = JSON.parse(read(file)) as { sourcesContent: (string | null)[] };
      return [file, sourcesContent.join('\n')];
    });
    for (const [file = '', text] of [...texts, ...sources])
      for (const place of [ROOT, folder]) expect(text?.includes(place), file).toBe(false);
  });
});

describe('The asset of a function', () => {
  const hashesIn = (built: string): Record<string, string> =>
    Object.fromEntries(
      names.map((name) => [name, FileSystem.fingerprint(join(built, 'assets', name))] as const),
    );
  const holders = (file: string): string[] =>
    globSync(`assets/*/${file}`, { cwd: folder })
      .map((path) => path.split('/')[1] ?? '')
      .sort();

  it('Holds its own handler, all files that it can load, and no data or client of other functions', () => {
    for (const name of names) expect(holders(`${name}.mjs`), name).toEqual([name]);
    expect(holders('routes.json')).toEqual(['answer-unrouted']);
    expect(holders('openapi.json')).toEqual(['get-api-document']);
    expect(holders('apart/aws-mail.mjs')).toEqual(['run-job']);
    expect(holders('apart/aws-functions.mjs')).toEqual(['answer-unrouted']);
    expect(holders('apart/aws-scheduler.mjs')).toEqual(
      endpoints
        .filter(({ endpoint }) => endpoint.uses.scheduler)
        .map(({ name }) => name)
        .sort(),
    );
    for (const file of globSync('assets/*/**/*.mjs', { cwd: folder }))
      for (const [, needed = ''] of read(file).matchAll(/(?:from|import|import\()"(\.\.?\/[\w./-]+\.mjs)"/g))
        expect(existsSync(join(folder, dirname(file), needed)), `${needed} of ${file}`).toBe(true);
  });

  it('Changes with edits of its files only, and keeps nothing of an earlier build', async () => {
    const edited = makeBuildFolder();
    const edit: Plugin = {
      name: 'edit',
      setup({ onLoad }) {
        onLoad({ filter: /(users[\\/]get-own-user|runtime[\\/]aws-mail)\.ts$/ }, ({ path }) => ({
          contents: `${readFileSync(path, 'utf8')}\nglobalThis.edited = true;`,
          loader: 'ts',
        }));
      },
    };
    const stale = ['functions', 'maps', 'image-layer', 'assets/get-own-user'].map((part) =>
      join(edited, part, 'package.json'),
    );
    for (const file of stale) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, 'of an earlier build');
      writeFileSync(join(dirname(file), 'stale.mjs'), 'of an earlier build');
    }
    await buildFunctions(edited, [edit]);
    expect(globSync('**/stale.mjs', { cwd: edited })).toEqual([]);
    const [before, after] = [hashesIn(folder), hashesIn(edited)];
    expect(names.filter((name) => before[name] !== after[name]).sort()).toEqual([AGENTS, 'get-own-user']);
  });
});

describe('The built functions', () => {
  it('Answer with the data of the table, and with the document beside them', async () => {
    const { endpoint } = await startEngine();
    stubAws(endpoint, { TABLE_NAME: 'bundled' });
    await createTable({ endpoint, tableName: 'bundled' });
    const table = new DynamoTable({ tableName: 'bundled' });
    await table.write({
      kind: 'put',
      item: { ...organizationKeys.organization(), name: 'Bundled', url: 'https://a.b' },
    });
    const { handler } = await import(join(folder, 'functions/get-server-settings.mjs'));
    const { statusCode, body } = await handler(GET_SERVER_SETTINGS);
    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ result: 'success', realm_name: 'Bundled' });
    vi.stubEnv('LAMBDA_TASK_ROOT', join(folder, 'functions'));
    const documenting = await import(join(folder, 'functions/get-api-document.mjs'));
    const reply = await documenting.handler(GET_SERVER_SETTINGS);
    expect(JSON.parse(reply.body)).toEqual(JSON.parse(JSON.stringify(describeService())));
  });

  it('Process pictures in a thread of the layer, beside the library', async () => {
    const outfile = join(folder, 'images.mjs');
    const { splitting: _, ...options } = bundleOptions;
    await build({ ...options, entryPoints: [join(ROOT, 'shared/adapters/images.ts')], outfile });
    vi.stubEnv('IMAGE_WORKER', join(folder, 'image-layer/wasm-vips/image-worker.mjs'));
    const images: Images = (await import(outfile)).vipsImages;
    const shape = { width: 64, height: 64, fit: 'pad' as const };
    const { pictures } = await images.shrink(await makePicture({ width: 300, height: 200 }), [shape]);
    expect(await lookAt(pictures[0]?.bytes ?? new Uint8Array())).toMatchObject({ width: 64, height: 64 });
  });
});

const GET_SERVER_SETTINGS: HttpEvent = {
  version: '2.0',
  routeKey: 'GET /api/v1/server_settings',
  rawPath: '/api/v1/server_settings',
  rawQueryString: '',
  headers: {},
  isBase64Encoded: false,
  requestContext: {
    requestId: 'one',
    domainName: 'a.b',
    http: { method: 'GET', path: '/api/v1/server_settings', sourceIp: '127.0.0.1' },
  },
};
