import { globSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildWeb } from '#infra/web/build.ts';
import { contentSecurityPolicy } from '#shared/api/web/content-security-policy.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { startTestService } from '#tests/harness/service.ts';

interface Raw {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

const folder = temporaryFolder('web-client');
const { files } = await buildWeb(folder);
const script = `/${files.find(({ path }) => /^assets\/main-.*\.js$/.test(path))?.path}`;
const service = await startTestService({}, { webFolder: join(folder, 'web') });

/** A raw request: no client changes the path, or decompresses the reply. */
const fetchPath = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
const built = (path: string): Buffer => readFileSync(join(folder, 'web', path));

describe('The page of the web client', () => {
  test.each([
    '/',
    '/login/',
    '/login',
    '/register/',
    '/join/anykey12/',
    '/accounts/password/reset/',
    '/accounts/password/reset/anykey12/',
    '/accounts/confirm/anykey12/',
  ])('Appears at %s', async (path) => {
    const { status, headers, body } = await fetchPath(path);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).toEqual(built('index.html'));
  });

  test('Loads only from the service, and cannot be framed', async () => {
    const { headers } = await fetchPath('/');
    const directives = String(headers['content-security-policy']).split('; ');
    const policy = directives.map((directive) => directive.split(/ (.*)/s));
    expect(Object.fromEntries(policy)).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'connect-src': "'self'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
    });
    expect(String(headers['content-security-policy'])).not.toMatch(/unsafe|http|\*/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test.each([
    ['chat.example', undefined],
    ['localhost:9991', 'same-origin'],
  ])('At http://%s, names the opener policy only if browsers trust the page: %s', async (host, policy) => {
    const { headers } = await fetchPath('/', { host });
    expect(headers['cross-origin-opener-policy']).toBe(policy);
  });

  test('May reach files and sockets of the deployment on other hosts, and nothing else there', () => {
    const filesOrigin = 'https://files.example.com';
    const socketUrl = 'wss://sockets.example.com/prod';
    const connectSources = (places: Parameters<typeof contentSecurityPolicy>[0]) =>
      /connect-src ([^;]*)/.exec(contentSecurityPolicy(places))?.[1];
    const both = `'self' ${filesOrigin} wss://sockets.example.com`;
    expect(connectSources({ filesOrigin, socketUrl })).toBe(both);
    expect(connectSources({})).toBe("'self'");
  });

  test('Gets revalidated at each visit, and sent again only after a change', async () => {
    const { headers } = await fetchPath('/');
    expect(headers['cache-control']).toBe('no-cache');
    const tag = String(headers.etag);
    const again = await fetchPath('/', { 'if-none-match': tag });
    expect(again).toMatchObject({ status: 304, body: Buffer.alloc(0) });
    expect(again.headers.etag).toBe(tag);
    expect((await fetchPath('/', { 'if-none-match': 'W/"other"' })).status).toBe(200);
    expect((await fetchPath('/', { 'if-none-match': `W/"other", ${tag}` })).status).toBe(304);
  });

  test('Names only existing files', async () => {
    const page = built('index.html').toString();
    const named = [...page.matchAll(/(?:src|href|content)="(\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(named.length).toBeGreaterThan(3);
    for (const path of named) expect((await fetchPath(path)).status, path).toBe(200);
  });
});

describe('A file of the web client', () => {
  test('Stays cached for a year if its name has a hash of its contents', async () => {
    const { headers, body } = await fetchPath(script);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    });
    expect(body).toEqual(built(script));
  });

  test('Names the icons of an installed app, and is itself an icon that browsers require', async () => {
    const { icons } = JSON.parse((await fetchPath('/assets/app.webmanifest')).body.toString());
    const kinds = ['any any', '192x192 any', '512x512 any', '512x512 maskable'];
    expect(icons).toHaveLength(kinds.length);
    for (const [index, { src, type, sizes, purpose }] of icons.entries()) {
      expect(`${sizes} ${purpose}`).toBe(kinds[index]);
      expect((await fetchPath(src)).headers['content-type']).toBe(type);
    }
  });

  test('Includes a service worker for the whole site, which browsers compare at each visit', async () => {
    const { status, headers, body } = await fetchPath('/sw.js');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': "default-src 'none'; connect-src 'self'",
    });
    const [, named] = /^const BUILT=(.*);$/m.exec(body.toString()) ?? [];
    const { version, files } = JSON.parse(named ?? '');
    expect(built('index.html').toString()).toContain(`<meta name="version" content="${version}">`);
    for (const path of files) expect((await fetchPath(path, {}, 'HEAD')).status, path).toBe(200);
    expect(files).toContain(script);
  });

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.1, gzip;q=1.0', 'br'],
    ['', undefined],
    ['br;q=0, gzip;q=0', undefined],
    ['zstd, deflate', undefined],
    [',;=,', undefined],
  ])('Answers Accept-Encoding %j with %s', async (accepted, encoding) => {
    const { status, headers, body } = await fetchPath(script, { 'accept-encoding': accepted });
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe(encoding);
    const open = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((bytes: Buffer) => bytes);
    expect(open(body)).toEqual(built(script));
  });

  test('Sends only headers for HEAD', async () => {
    const { status, headers, body } = await fetchPath(script, {}, 'HEAD');
    expect(status).toBe(200);
    expect(headers['content-length']).toBe(String(built(script).length));
    expect(body.length).toBe(0);
    expect((await fetchPath('/', {}, 'HEAD')).status).toBe(200);
  });

  test('Comes whole if the client requests a range', async () => {
    const { status, body } = await fetchPath(script, { range: 'bytes=0-3' });
    expect(status).toBe(200);
    expect(body).toEqual(built(script));
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('Does not exist for %s', async (method) => {
    for (const path of ['/', script]) {
      const { status, headers } = await fetchPath(path, {}, method);
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    }
  });

  test('Costs nothing of the table', async () => {
    service.meter.reset();
    await fetchPath('/');
    await fetchPath(script);
    expect(service.meter).toMatchObject({ read: 0, write: 0 });
  });
});

describe('A path that is no file of the web client', () => {
  test.each([
    '/assets/none-ABCDEFGH.js',
    '/assets/',
    '/index.html',
    '/index.html.br',
    '/assets/..%2f..%2fpackage.json',
    '/..%2f..%2f..%2fetc%2fpasswd',
    '/assets/%00',
    '//',
    '/login/x',
    '/static/audio/notification_sounds/none.wav',
    '/static/audio/notification_sounds/constructor.wav',
  ])('Answers like any unknown path: %s', async (path) => {
    const { status, headers, body } = await fetchPath(path);
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(body.toString())).toMatchObject({ result: 'error' });
  });
});

describe('The well-known files of a host', () => {
  test('Include an icon and a robots.txt that forbids indexing', async () => {
    const icon = await fetchPath('/favicon.ico');
    expect(icon.status).toBe(200);
    expect(icon.headers['content-type']).toBe('image/svg+xml');
    expect(icon.headers['cache-control']).toBe('no-cache');
    expect((await fetchPath('/robots.txt')).body.toString()).toBe('User-agent: *\nDisallow: /\n');
  });

  test('Include a sound for each name in register', async () => {
    const { snapshot } = await service.owner.register({ fetch_event_types: ['user_settings'] });
    for (const name of snapshot.user_settings.available_notification_sounds) {
      const { status, headers, body } = await fetchPath(`/static/audio/notification_sounds/${name}.ogg`);
      expect(status, name).toBe(200);
      expect(headers['content-type']).toBe('audio/wav');
      expect(body.subarray(0, 4).toString()).toBe('RIFF');
      expect(body.readUInt32LE(4)).toBe(body.length - 8);
      const samples = new Int16Array(body.buffer.slice(body.byteOffset + 44, body.byteOffset + body.length));
      const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
      expect(loudest).toBeGreaterThan(8_000);
      expect(loudest).toBeLessThan(32_767);
    }
  });
});

test('A service without a built client answers its API, and 404 at its root', async () => {
  const bare = await startTestService({}, { webFolder: join(folder, 'nowhere') });
  expect((await sendTo(`${bare.url}/`)).status).toBe(404);
  expect((await sendTo(`${bare.url}/api/v1/server_settings`)).status).toBe(200);
});

test('The web client built elsewhere from the same sources has the same files, byte for byte', async () => {
  const elsewhere = temporaryFolder('web-client-again');
  await buildWeb(elsewhere);
  const contentsOf = (place: string) =>
    globSync('web/**/*.*', { cwd: place })
      .sort()
      .map((file) => [file, readFileSync(join(place, file)).toString('base64')]);
  const first = contentsOf(folder);
  expect(first.length).toBeGreaterThan(10);
  expect(contentsOf(elsewhere)).toEqual(first);
});
