import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { FileSystem } from 'aws-cdk-lib';
import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listFunctions } from '#infra/aws/functions.ts';
import { type BuiltFunctions, buildFunctions, bundleOptions } from '#infra/build.ts';
import { createTable, LOCAL_REGION } from '#infra/local/create-table.ts';
import { startEngine } from '#infra/local/engine.ts';
import { describeService } from '#infra/openapi/service-document.ts';
import type { HttpEvent } from '#shared/api/http.ts';
import { renderMarkdown } from '#shared/markdown/render.ts';
import type { Images } from '#shared/runtime/services.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import { keys } from '#shared/table/keys.ts';
import { lookAt, makePicture } from '#tests/harness/pictures.ts';
import { ROOT } from '#tests/infra/root.ts';

/** 400 KB, as the bundler counts them. */
const BUDGET_BYTES = 400 * 1024;
const { endpoints, workers, sockets, fallback } = listFunctions();
const names = [...endpoints, ...workers, ...sockets, ...(fallback ? [fallback] : [])].map(({ name }) => name);
const folder = mkdtempSync(join(tmpdir(), 'team-chat-build-'));
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const built = (): string[] =>
  globSync('functions/**', { cwd: folder }).filter((file) => file.endsWith('.mjs'));
/** The digests of all that is deployed, by path. */
const digestsOf = (built: string): Record<string, string> =>
  Object.fromEntries(
    globSync('{functions,image-layer}/**', { cwd: built })
      .filter((file) => statSync(join(built, file)).isFile())
      .sort()
      .map((file) => [
        file,
        createHash('sha256')
          .update(readFileSync(join(built, file)))
          .digest('hex'),
      ]),
  );
let result: BuiltFunctions;

beforeAll(async () => {
  result = await buildFunctions(folder);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('the build', () => {
  it('makes a bundle of every function', () => {
    expect(Object.keys(result.bytesByFunction).sort()).toEqual(names.sort());
  });

  it.each(names)('keeps what %s loads when it starts below 400 KB', (name) => {
    expect(result.bytesByFunction[name]).toBeLessThanOrEqual(BUDGET_BYTES);
  });

  it('keeps what is only loaded when it is needed apart', () => {
    const parts = Object.keys(result.bytesByLatePart);
    expect(parts).toEqual(
      expect.arrayContaining(['shared/runtime/aws-bus.ts', 'shared/runtime/aws-scheduler.ts']),
    );
    for (const [part, bytes] of Object.entries(result.bytesByLatePart))
      expect(bytes, part).toBeLessThanOrEqual(BUDGET_BYTES);
  });

  it.each(names)('makes of %s a module that exports its handler', async (name) => {
    const module = await import(join(folder, 'functions', `${name}.mjs`));
    expect(module.handler).toBeTypeOf('function');
  });

  it('leaves out what only the local service and the tools use', () => {
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

  it('keeps source maps out of what is deployed', () => {
    expect(globSync('functions/**/*.map', { cwd: folder })).toEqual([]);
    expect(globSync('maps/**/*.map', { cwd: folder }).length).toBe(built().length);
  });

  it('makes the same bytes of the same sources, in another folder, process and working directory', async () => {
    const again = mkdtempSync(join(tmpdir(), 'team-chat-again-'));
    try {
      const build = `await (await import(${JSON.stringify(`${ROOT}/infra/build.ts`)})).buildFunctions(${JSON.stringify(again)});`;
      await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', build], { cwd: again });
      const first = digestsOf(folder);
      expect(Object.keys(first).length).toBeGreaterThan(names.length);
      expect(digestsOf(again)).toEqual(first);
    } finally {
      rmSync(again, { recursive: true });
    }
  });

  it('leaves no trace of the folder in which the sources lie, or of that in which it was made', () => {
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

describe('the asset of a function', () => {
  const hashesIn = (built: string): Record<string, string> =>
    Object.fromEntries(
      names.map((name) => [name, FileSystem.fingerprint(join(built, 'assets', name))] as const),
    );
  const holders = (file: string): string[] =>
    globSync(`assets/*/${file}`, { cwd: folder })
      .map((path) => path.split('/')[1] ?? '')
      .sort();

  it('holds its own handler, all that this can load, and no data or client of other functions', () => {
    // The sweep delivers what is overdue by the code of the delivery.
    for (const name of names)
      expect(holders(`${name}.mjs`), name).toEqual(
        name === 'deliver-scheduled-message' ? [name, 'sweep'] : [name],
      );
    expect(holders('routes.json')).toEqual(['answer-unrouted']);
    expect(holders('openapi.json')).toEqual(['get-api-document']);
    expect(holders('apart/aws-mail.mjs')).toEqual(['run-job']);
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

  it('is changed by an edit of what the function loads, and by no other', async () => {
    const edited = mkdtempSync(join(tmpdir(), 'team-chat-edited-'));
    const edit: Plugin = {
      name: 'edit',
      setup({ onLoad }) {
        onLoad({ filter: /(users[\\/]get-own-user|runtime[\\/]aws-mail)\.ts$/ }, ({ path }) => ({
          contents: `${readFileSync(path, 'utf8')}\nglobalThis.edited = true;`,
          loader: 'ts',
        }));
      },
    };
    try {
      await buildFunctions(edited, [edit]);
      const [before, after] = [hashesIn(folder), hashesIn(edited)];
      expect(names.filter((name) => before[name] !== after[name]).sort()).toEqual([
        'get-own-user',
        'run-job',
      ]);
    } finally {
      rmSync(edited, { recursive: true });
    }
  });
});

describe('a bundle', () => {
  it('answers with what it finds in the table, and with the document that lies beside it', async () => {
    const engine = await startEngine();
    try {
      stubAws(engine.endpoint);
      vi.stubEnv('TABLE_NAME', 'bundled');
      await createTable({ endpoint: engine.endpoint, tableName: 'bundled' });
      const table = new DynamoTable({ tableName: 'bundled' });
      await table.write({
        kind: 'put',
        item: { ...keys.organization(), name: 'Bundled', url: 'https://a.b' },
      });
      const { handler } = await import(join(folder, 'functions/get-server-settings.mjs'));
      const { statusCode, body } = await handler(GET_SERVER_SETTINGS);
      expect(statusCode).toBe(200);
      expect(JSON.parse(body)).toMatchObject({ result: 'success', realm_name: 'Bundled' });
      vi.stubEnv('LAMBDA_TASK_ROOT', join(folder, 'functions'));
      const documenting = await import(join(folder, 'functions/get-api-document.mjs'));
      const reply = await documenting.handler(GET_SERVER_SETTINGS);
      expect(JSON.parse(reply.body)).toEqual(JSON.parse(JSON.stringify(describeService())));
    } finally {
      vi.unstubAllEnvs();
      await engine.stop();
    }
  });

  it('tells what kept a write from happening', async () => {
    const engine = await startEngine();
    try {
      const { endpoint } = engine;
      stubAws(endpoint);
      await createTable({ endpoint, tableName: 'refusing' });
      const outfile = join(folder, 'table.mjs');
      const { splitting: _, ...options } = bundleOptions;
      const contents = `export { DynamoTable } from '#shared/table/dynamo-table.ts';
        export { ConditionFailed, TransactionCanceled } from '#shared/table/table.ts';`;
      await build({ ...options, stdin: { contents, resolveDir: ROOT }, outfile });
      const bundled = await import(outfile);
      const table: DynamoTable = new bundled.DynamoTable({ tableName: 'refusing' });
      const put = {
        kind: 'put' as const,
        item: { ...keys.lowWaterMark(), position: 1 },
        condition: { exists: false },
      };
      await table.write(put);
      const failed = await table.write(put).catch((failure) => failure);
      expect(failed).toBeInstanceOf(bundled.ConditionFailed);
      expect(failed.existing).toMatchObject({ position: 1 });
      const canceled = await table.transact([put], 'token').catch((failure) => failure);
      expect(canceled).toBeInstanceOf(bundled.TransactionCanceled);
      expect(canceled).toMatchObject({
        isConflict: false,
        failed: [{ index: 0, existing: { position: 1 } }],
      });
    } finally {
      await engine.stop();
    }
  });

  it('looks at pictures in a thread that lies in the layer, beside the library', async () => {
    const outfile = join(folder, 'images.mjs');
    const { splitting: _, ...options } = bundleOptions;
    await build({ ...options, entryPoints: [join(ROOT, 'shared/runtime/images.ts')], outfile });
    vi.stubEnv('IMAGE_WORKER', join(folder, 'image-layer/wasm-vips/image-worker.mjs'));
    const images: Images = (await import(outfile)).vipsImages;
    const shape = { width: 64, height: 64, fit: 'pad' as const };
    const { pictures } = await images.shrink(await makePicture({ width: 300, height: 200 }), [shape]);
    expect(await lookAt(pictures[0]?.bytes ?? new Uint8Array())).toMatchObject({ width: 64, height: 64 });
    vi.unstubAllEnvs();
  });

  it('renders messages as the source does', async () => {
    const outfile = join(folder, 'render.mjs');
    const { splitting: _, ...options } = bundleOptions;
    await build({ ...options, entryPoints: [join(ROOT, 'shared/markdown/render.ts')], outfile });
    const bundled = (await import(outfile)).renderMarkdown as typeof renderMarkdown;
    for (const source of SAMPLES) expect(bundled(source)).toEqual(renderMarkdown(source));
    expect(bundled('&amp; &copy; &#x41; &ngE;').html).toBe('<p>&amp; © A ≧̸</p>');
  });
});

/** The environment of a function that finds its table in the embedded engine. */
function stubAws(endpoint: string): void {
  vi.stubEnv('AWS_REGION', LOCAL_REGION);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
}

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

const SAMPLES = [
  '**b** *i* ~~s~~ `c<` &lt;b&gt; &hearts; &nosuch;',
  '[t](https://a.b/?x=1&amp;y=2 "x&quot;y") <https://a.b> https://例え.jp/ü',
  '![](http://a/b.png) <b style="color:red" onclick="x">x</b>',
  '| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n3. x\n   - y\n\n> q\n\n```js &amp;\n<p style="x">\n```',
];
