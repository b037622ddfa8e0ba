import { createHash, createHmac } from 'node:crypto';
import { readdirSync, symlinkSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLocalFiles } from '#infra/local/files.ts';
import { createAwsFiles, presign } from '#shared/adapters/aws-files.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import type { FileStore } from '#shared/runtime/services.ts';
import { stubEnvironment } from '#tests/harness/environment.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { serveLocally } from '#tests/harness/local-server.ts';

const CLIMBING = [
  '../secret',
  'a/../../secret',
  '/etc/passwd',
  'a//b',
  'a/',
  '',
  '.hidden',
  'a/.hidden',
  'a\\b',
  'a\0b',
  'A',
  'a%2fb',
  'x'.repeat(201),
];
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);

/** S3 lists a thousand. */
const FILES_PER_LIST = 3;

/** A bucket that stores files, over HTTP. */
let bucket: Map<string, Buffer>;
let requests: IncomingMessage[];
/** Parts of files that are not whole yet, by their tags. */
const uploaded = new Map<string, Buffer>();
/** Answered instead, one for each request; undefined for one that is answered as it should be. */
let troubles: ('close' | { status: number; code: string } | undefined)[];

stubEnvironment({
  AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  AWS_SESSION_TOKEN: '',
});
const { url: endpoint } = await serveLocally(keep);
beforeEach(() => {
  bucket = new Map();
  requests = [];
  troubles = [];
});
async function keep(request: IncomingMessage, response: ServerResponse): Promise<void> {
  requests.push(request);
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://aws');
  const sent = await buffer(request);
  const trouble = troubles.shift();
  if (trouble === 'close') return void request.socket.destroy();
  if (trouble)
    return void response.writeHead(trouble.status).end(`<Error><Code>${trouble.code}</Code></Error>`);
  if (keepPart(request.method, pathname, searchParams, sent, response)) return;
  if (request.method === 'PUT') bucket.set(pathname, sent);
  if (request.method === 'DELETE') bucket.delete(pathname);
  if (searchParams.get('list-type') === '2') {
    const prefix = `${pathname}${searchParams.get('prefix')}`;
    const names = [...bucket.keys()].filter((name) => name.startsWith(prefix)).slice(0, FILES_PER_LIST);
    const listed = names.map((name) => `<Contents><Key>${name.slice(pathname.length)}</Key></Contents>`);
    return void response.end(`<ListBucketResult>${listed.join('')}</ListBucketResult>`);
  }
  const found = bucket.get(pathname);
  if (request.method === 'GET' && !found) return void response.writeHead(404).end('<Code>NoSuchKey</Code>');
  response.writeHead(request.method === 'DELETE' ? 204 : 200).end(request.method === 'GET' ? found : '');
}

/** S3's behaviour for a file in parts. */
function keepPart(
  method: string | undefined,
  pathname: string,
  query: URLSearchParams,
  sent: Buffer,
  response: ServerResponse,
): boolean {
  const uploadId = query.get('uploadId');
  if (method === 'POST' && query.has('uploads'))
    response.end(
      '<InitiateMultipartUploadResult><UploadId>upload.1</UploadId></InitiateMultipartUploadResult>',
    );
  else if (method === 'PUT' && uploadId) {
    const tag = `"${createHash('md5').update(sent).digest('hex')}"`;
    uploaded.set(tag, sent);
    response.writeHead(200, { etag: tag }).end();
  } else if (method === 'POST' && uploadId === 'upload.1') {
    const tags = [...sent.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>(.*?)<\/ETag>/g)];
    const parts = tags.map(([, , tag = '']) => uploaded.get(tag) ?? Buffer.from(''));
    expect(tags.map(([, number]) => Number(number))).toEqual(tags.map((_, index) => index + 1));
    for (const part of parts.slice(0, -1)) expect(part.length).toBeGreaterThanOrEqual(5 * 1024 ** 2);
    bucket.set(pathname, Buffer.concat(parts));
    response.end('<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>');
  } else return false;
  return true;
}

const aws = (): FileStore => createAwsFiles({ bucket: 'files', region: 'eu-west-1', endpoint });
const folder = temporaryFolder('files');
const local = (kept?: string) =>
  createLocalFiles({ folder: kept, url: 'http://a.b', secret: 'x', clock: systemClock });

const bytesOf = async (files: FileStore, name: string) => [...((await files.find(name)) ?? [])];
async function* piecesOf(pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

describe.each<[string, () => FileStore]>([
  ['in a bucket', aws],
  ['in a folder', () => local(folder)],
  ['in memory', () => local()],
])('Files %s', (_where, create) => {
  it('Can be read as they were written, replaced and removed', async () => {
    const files = create();
    expect(await files.find('images/a.png')).toBeUndefined();
    await files.put('images/a.png', PNG);
    expect(await bytesOf(files, 'images/a.png')).toEqual([...PNG]);
    await files.put('images/a.png', Uint8Array.of(7));
    expect(await bytesOf(files, 'images/a.png')).toEqual([7]);
    expect(await files.find('images')).toBeUndefined();
    await files.remove('images/a.png');
    await files.remove('images/a.png');
    expect(await files.find('images/a.png')).toBeUndefined();
  });

  it('Can be written in pieces as one file, however long it becomes', async () => {
    const files = create();
    for (const megabytes of [0, 1, 8, 21]) {
      const pieces = Array.from({ length: megabytes }, (_, index) =>
        new Uint8Array(1024 ** 2).fill(index + 1),
      );
      await files.putPieces('exports/long', piecesOf(pieces));
      expect(
        Buffer.compare((await files.find('exports/long')) ?? Buffer.from('?'), Buffer.concat(pieces)),
      ).toBe(0);
    }
  });

  it('Can be removed by folder', async () => {
    const files = create();
    const names = Array.from({ length: 7 }, (_, index) => `uploads/2/${index}/file.txt`);
    for (const name of [...names, 'pictures/a.png']) await files.put(name, PNG);
    let rounds = 0;
    while (await files.clear('uploads')) rounds++;
    expect(rounds).toBeLessThan(5);
    for (const name of names) expect(await files.find(name)).toBeUndefined();
    expect(await files.find('pictures/a.png')).toBeDefined();
    await files.remove('pictures/a.png');
  });

  it('Appear as a whole or not at all if they are written in pieces', async () => {
    const files = create();
    await files.put('exports/whole', PNG);
    const breaking = async function* () {
      yield new Uint8Array(9 * 1024 ** 2);
      yield new Uint8Array(1);
      throw new Error('The source ended');
    };
    await expect(files.putPieces('exports/whole', breaking())).rejects.toThrow('The source ended');
    expect(await bytesOf(files, 'exports/whole')).toEqual([...PNG]);
  });

  it.each(CLIMBING)('Never have the name %j', async (name) => {
    const files = create();
    for (const act of [
      () => files.put(name, PNG),
      () => files.putPieces(name, piecesOf([PNG])),
      () => files.find(name),
      () => files.remove(name),
      () => files.downloadUrl(name, 60),
    ])
      await expect(act()).rejects.toThrow('No file of the service');
    expect(requests).toEqual([]);
  });
});

describe('The folder', () => {
  it('Holds only whole files', async () => {
    const files = local(folder);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => files.put('one', new Uint8Array(9).fill(index))),
    );
    expect(new Set(await files.find('one')).size).toBe(1);
    expect(readdirSync(folder).filter((name) => name.startsWith('one'))).toEqual(['one']);
  });

  it('Reports why a file cannot be read, instead of a missing file', async () => {
    symlinkSync('circle', join(folder, 'circle'));
    await expect(local(folder).find('circle')).rejects.toMatchObject({ code: 'ELOOP' });
  });
});

describe('The bucket', () => {
  it('Gets signed requests with the media type of the file', async () => {
    await aws().put('images/a.png', PNG);
    const [{ method, url, headers } = {} as IncomingMessage] = requests;
    expect([method, url, headers['content-type']]).toEqual(['PUT', '/files/images/a.png', 'image/png']);
    expect(headers.authorization).toMatch(
      /\/eu-west-1\/s3\/aws4_request, SignedHeaders=.*host.*, Signature=/,
    );
    expect(headers['x-amz-content-sha256']).toMatch(/^[0-9a-f]{64}$/);
  });

  it('Gets a retry if it is busy or the connection breaks', async () => {
    troubles.push({ status: 503, code: 'SlowDown' }, 'close', { status: 500, code: 'InternalError' });
    await aws().put('a', PNG);
    expect(requests).toHaveLength(4);
    expect([...bucket.keys()]).toEqual(['/files/a']);
  });

  it('Causes an error with the reason if it keeps failing, or refuses', async () => {
    for (let times = 0; times < 4; times++) troubles.push({ status: 503, code: 'SlowDown' });
    await expect(aws().put('a', PNG)).rejects.toThrow('S3 did not put a: SlowDown');
    troubles.push({ status: 403, code: 'AccessDenied' });
    await expect(aws().find('a')).rejects.toThrow('S3 did not get a: AccessDenied');
    expect(requests).toHaveLength(5);
  });

  it.each([
    ['begin', 'UploadId', 0],
    ['join', 'ETag', 3],
  ])(
    'Causes an error if it reports success although it failed to %s a file in parts',
    async (_what, tag, requestsBefore) => {
      troubles.push(...Array.from({ length: requestsBefore }, () => undefined));
      troubles.push({ status: 200, code: 'InternalError' });
      const pieces = [new Uint8Array(9 * 1024 ** 2), new Uint8Array(1)];
      const putting = aws().putPieces('exports/long', piecesOf(pieces));
      await expect(putting).rejects.toThrow(`S3 did not say the ${tag} of a file in parts`);
      expect(await aws().find('exports/long')).toBeUndefined();
    },
  );

  it('Returns addresses that are signed as S3 requires, for its own host and the requested time', async () => {
    const options = { bucket: 'files', region: 'us-east-1' };
    const url = new URL(
      await presign(options, 'exports/a.json', 86_400, { signingDate: new Date('2013-05-24T00:00:00Z') }),
    );
    expect(url.host).toBe('files.s3.us-east-1.amazonaws.com');
    expect(url.searchParams.get('X-Amz-Expires')).toBe('86400');
    expect(url.searchParams.get('X-Amz-SignedHeaders')).toBe('host');
    expectSigned(url);
  });

  it('Returns addresses with the signed media type and name of the file', async () => {
    const shownAs = { contentType: 'image/png', contentDisposition: 'inline; filename="a b.png"' };
    const url = new URL(await presign({ bucket: 'files', region: 'us-east-1' }, 'a', 60, { shownAs }));
    expect(url.searchParams.get('X-Amz-Expires')).toBe('60');
    expect(url.searchParams.get('response-content-type')).toBe('image/png');
    expect(url.searchParams.get('response-content-disposition')).toBe('inline; filename="a b.png"');
    expectSigned(url);
  });

  it('Has the domain of China in a region of China', async () => {
    const url = new URL(await presign({ bucket: 'files', region: 'cn-north-1' }, 'a', 60));
    expect(url.host).toBe('files.s3.cn-north-1.amazonaws.com.cn');
  });
});

function expectSigned(url: URL): void {
  const signature = url.searchParams.get('X-Amz-Signature');
  url.searchParams.delete('X-Amz-Signature');
  expect(signature).toBe(signatureOf(url, process.env.AWS_SECRET_ACCESS_KEY ?? ''));
}

/** Version 4 of the signature of an address, as the documentation of S3 describes it step by step. */
function signatureOf(url: URL, secretKey: string): string {
  const { searchParams: query } = url;
  const sorted = [...query].map((pair) => pair.map(encodeURIComponent).join('=')).sort();
  const request = ['GET', url.pathname, sorted.join('&'), `host:${url.host}`, '', 'host', 'UNSIGNED-PAYLOAD'];
  const [, ...scope] = (query.get('X-Amz-Credential') ?? '').split('/');
  const digest = createHash('sha256').update(request.join('\n')).digest('hex');
  const toSign = ['AWS4-HMAC-SHA256', query.get('X-Amz-Date'), scope.join('/'), digest].join('\n');
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  return hmac(scope.reduce<string | Buffer>(hmac, `AWS4${secretKey}`), toSign).toString('hex');
}
