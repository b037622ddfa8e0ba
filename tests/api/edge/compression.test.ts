import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#shared/api/endpoint.ts';
import { packReply } from '#shared/api/envelope.ts';
import type { HttpEvent } from '#shared/api/http.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, text, withDefault } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { edgeServices, serve } from '#tests/infra/local/gateway-fixture.ts';

/** The most bytes that a function's whole reply may have. */
const LAMBDA_LIMIT_BYTES = 6 * 1024 * 1024;
const USERS = 10_000;

/** A person as `POST /register` lists them. */
const userRecord = (userId: number) => ({
  user_id: userId,
  email: `user${userId}@chat.example.com`,
  delivery_email: `${randomBytes(6).toString('hex')}@example.com`,
  full_name: `Person ${randomBytes(5).toString('hex')}`,
  date_joined: '2026-01-02T03:04+00:00',
  is_active: true,
  is_admin: false,
  is_owner: false,
  is_guest: false,
  is_bot: false,
  is_imported_stub: false,
  role: 400,
  timezone: 'Europe/Reykjavik',
  avatar_url: `https://secure.gravatar.com/avatar/${randomBytes(16).toString('hex')}?d=identicon&version=1`,
  avatar_version: 1,
  profile_data: { 4: { value: randomBytes(4).toString('hex') } },
});
const everyone = Array.from({ length: USERS }, (_, index) => userRecord(index));

const describeReply = (content: (kind: string, bytes: number) => unknown) =>
  endpoint({
    route: 'GET /reply',
    summary: 'Reply at some length',
    allow: 'anyone',
    params: {
      kind: withDefault(text(z.string(), 'What of'), 'letters'),
      bytes: withDefault(json(z.int(), 'How much of it'), 0),
    },
    result: z.looseObject({}),
    errors: [],
    emits: [],
    uses: { table: 'none' },
    handle: async ({ kind, bytes }) => ({ content: content(kind, bytes) }),
  });
const reply = describeReply((kind, bytes) => {
  if (kind === 'users') return everyone;
  return kind === 'noise' ? randomBytes(bytes / 2).toString('hex') : 'ä'.repeat(bytes / 2);
});

const gateway = await serve({ reply });

/** The bytes on the wire, unchanged. */
async function get(query: string, acceptEncoding?: string, method = 'GET') {
  const sent = request({
    port: gateway.port,
    path: `/api/v1/reply?${query}`,
    method,
    headers: acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding },
  }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const bytes = await buffer(response);
  const encoding = response.headers['content-encoding'];
  const plain = encoding === 'gzip' && bytes.length > 0 ? gunzipSync(bytes) : bytes;
  const body = plain.length > 0 ? JSON.parse(plain.toString()) : undefined;
  return { status: response.statusCode, headers: response.headers, encoding, bytes, body };
}

describe('A large reply', () => {
  const large = 'bytes=20000';

  const qualities = ['br;q=1.0, gzip;q=0.8, *;q=0.1', ' gzip ; q=0.5 ', 'identity;q=0.5, gzip'];
  test.each(['gzip', 'gzip, deflate, br', '*', ...qualities])('Gets compressed for %j', async (accepted) => {
    const { encoding, bytes, headers, body } = await get(large, accepted);
    expect(encoding).toBe('gzip');
    expect(bytes.length).toBeLessThan(1000);
    expect(headers['content-length']).toBe(String(bytes.length));
    expect(headers.vary).toBe('Accept-Encoding');
    expect(body.content).toBe('ä'.repeat(10_000));
  });

  const without = ['gzip;q=0', '*;q=0', 'gzip;q=0, *', 'gzip;q=0.5, identity;q=0.8', ',;,;q=1,'];
  test.each([undefined, '', 'identity', 'br', ...without])('Stays uncompressed for %j', async (accepted) => {
    const { encoding, headers, body } = await get(large, accepted);
    expect(encoding).toBeUndefined();
    expect(headers.vary).toBe('Accept-Encoding');
    expect(body.content).toBe('ä'.repeat(10_000));
  });

  test('Has the same content for a client that does not compress', async () => {
    const response = await fetch(`http://127.0.0.1:${gateway.port}/api/v1/reply?${large}`);
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(await response.json()).toMatchObject({ result: 'success', content: 'ä'.repeat(10_000) });
  });

  test('Has the same headers for HEAD as for GET', async () => {
    const [head, full] = [await get(large, 'gzip', 'HEAD'), await get(large, 'gzip')];
    expect(head.headers['content-encoding']).toBe('gzip');
    expect(head.headers['content-length']).toBe(full.headers['content-length']);
    expect(head.bytes.length).toBe(0);
  });
});

describe('A file', () => {
  const headers = { 'Content-Type': 'image/png' };
  const fileOf = (bytes: number) => ({
    statusCode: 200,
    headers,
    body: Buffer.alloc(bytes).toString('base64'),
    isBase64Encoded: true,
  });

  test('Stays uncompressed, whatever the client accepts', async () => {
    const file = fileOf(4_400_000);
    for (const accepted of ['gzip', undefined]) expect(await packReply(file, accepted)).toBe(file);
  });

  test('Answers an error if it is larger than a function may return', async () => {
    const { statusCode, body } = await packReply(fileOf(4_600_000), 'gzip');
    const msg = 'The reply is too large; ask for less';
    expect([statusCode, JSON.parse(body)]).toEqual([400, { result: 'error', msg, code: 'BAD_REQUEST' }]);
  });
});

test('A small reply stays uncompressed, whatever the client accepts', async () => {
  const { encoding, headers } = await get('bytes=1000', 'gzip');
  expect([encoding, headers.vary]).toEqual([undefined, 'Accept-Encoding']);
});

describe('A reply at the size limit of the gateway', () => {
  const eventOf = (query: string, acceptEncoding: string | undefined): HttpEvent => ({
    version: '2.0',
    routeKey: 'GET /api/v1/reply',
    rawPath: '/api/v1/reply',
    rawQueryString: query,
    headers: { 'accept-encoding': acceptEncoding },
    isBase64Encoded: false,
    requestContext: {
      requestId: 'one',
      domainName: 'a.b',
      http: { method: 'GET', path: '/api/v1/reply', sourceIp: '127.0.0.1' },
    },
  });
  const asFunction = (query: string, acceptEncoding?: string) =>
    lambda(reply, () => edgeServices)(eventOf(query, acceptEncoding));

  test('Holds every user of an organization of 10 000, compressed', async () => {
    const { status, bytes, body } = await get('kind=users', 'gzip');
    expect(status).toBe(200);
    expect(body.content).toHaveLength(USERS);
    expect(bytes.length).toBeLessThan(LAMBDA_LIMIT_BYTES / 4);
    const { isBase64Encoded, ...asWritten } = await asFunction('kind=users', 'gzip');
    expect(isBase64Encoded).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(asWritten))).toBeLessThan(LAMBDA_LIMIT_BYTES / 4);
  });

  test.each([
    ['bytes=5900000', undefined],
    ['kind=noise&bytes=5900000', undefined],
    ['kind=noise&bytes=8000000', 'gzip'],
    ['bytes=30000000', 'gzip'],
  ])('Gets through with %s, accepting %s', async (query, accepted) => {
    const written = await asFunction(query, accepted);
    expect(written.statusCode).toBe(200);
    expect(Buffer.byteLength(JSON.stringify(written))).toBeLessThan(LAMBDA_LIMIT_BYTES);
  });

  const UNCOMPRESSED = 'The reply is too large to be sent uncompressed; accept gzip, or ask for less';
  test.each([
    ['bytes=7000000', undefined, UNCOMPRESSED],
    ['kind=noise&bytes=12000000', 'gzip', 'The reply is too large; ask for less'],
  ])('Becomes an error with %s, accepting %s', async (query, accepted, msg) => {
    const { status, body, encoding } = await get(query, accepted);
    expect([status, encoding]).toEqual([400, undefined]);
    expect(body).toEqual({ result: 'error', msg, code: 'BAD_REQUEST' });
  });

  test('Becomes an ordinary error if it is an error of that size (its text comes from the client)', async () => {
    const crash = {
      ...reply,
      handle: async () => {
        throw new BadRequest('ä'.repeat(4_000_000));
      },
    };
    const written = await lambda(crash, () => edgeServices)(eventOf('', undefined));
    expect([written.statusCode, JSON.parse(written.body).msg]).toEqual([400, UNCOMPRESSED]);
    const zipped = await lambda(crash, () => edgeServices)(eventOf('', 'gzip'));
    expect([zipped.statusCode, zipped.isBase64Encoded]).toEqual([400, true]);
  });

  test('Gets compressed for a client that prefers not to, if it does not fit otherwise', async () => {
    const { status, encoding } = await get('bytes=7000000', 'gzip;q=0.2, identity;q=0.9');
    expect([status, encoding]).toEqual([200, 'gzip']);
  });
});
