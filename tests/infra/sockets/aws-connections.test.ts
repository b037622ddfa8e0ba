import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { SignatureV4 } from '@smithy/signature-v4';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createAwsConnections } from '#shared/adapters/sockets/aws-connections.ts';
import { withSockets } from '#shared/adapters/sockets/aws-sockets.ts';
import type { Services, Sockets } from '#shared/runtime/services.ts';
import { stubEnvironment } from '#tests/harness/environment.ts';
import { serveLocally } from '#tests/harness/local-server.ts';
import { takeLogged } from '#tests/harness/logged-lines.ts';

const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'example' };
const REGION = 'eu-west-1';
/** As the gateway makes them. */
const ID = 'L0SM9cOFvHcCIhw=';

let received: { request: IncomingMessage; body: Buffer }[];
let statuses: number[];

stubEnvironment({
  AWS_REGION: REGION,
  AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
});
const { url: address } = await serveLocally(async (request, response) => {
  received.push({ request, body: await buffer(request) });
  response.writeHead(statuses.shift() ?? 200).end();
});
beforeEach(() => {
  received = [];
  statuses = [];
});

const connections = () => createAwsConnections({ endpoint: `${address}/live`, region: REGION });

/** SHA-256 with the interface that the signer of the SDK requires. */
class Sha256 {
  readonly #hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret ? createHmac('sha256', secret as Buffer) : createHash('sha256');
  }
  update(data: string | Uint8Array): void {
    this.#hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

/** The signature that the SDK's signer makes of the same request. */
async function signatureOf({ request, body }: (typeof received)[number]): Promise<string | undefined> {
  const date = String(request.headers['x-amz-date']);
  const [, names = ''] = /SignedHeaders=([^,]+)/.exec(String(request.headers.authorization)) ?? [];
  const headers = Object.fromEntries(names.split(';').map((name) => [name, String(request.headers[name])]));
  const signer = new SignatureV4({
    credentials: CREDENTIALS,
    region: REGION,
    service: 'execute-api',
    sha256: Sha256 as never,
  });
  const signed = await signer.sign(
    {
      method: request.method ?? '',
      protocol: 'http:',
      hostname: '127.0.0.1',
      path: request.url ?? '',
      headers,
      ...(body.length > 0 && { body }),
    },
    { signingDate: new Date(date.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z')) },
  );
  return signed.headers.authorization;
}

describe('A connection of API Gateway', () => {
  test('Receives posts by its encoded id, with requests signed as the SDK signs them', async () => {
    expect(await connections().post(ID, '{"op":"pong"}')).toBe('sent');
    const [one] = received;
    expect(one?.request).toMatchObject({ method: 'POST', url: '/live/@connections/L0SM9cOFvHcCIhw%3D' });
    expect(one?.body.toString()).toBe('{"op":"pong"}');
    expect(one?.request.headers.authorization).toBe(await signatureOf(one!));
  });

  test('Ends by a signed DELETE, and then is gone', async () => {
    statuses = [204];
    expect(await connections().end(ID)).toBe('gone');
    const [one] = received;
    expect(one?.request.method).toBe('DELETE');
    expect(one?.request.headers.authorization).toBe(await signatureOf(one!));
  });

  test.each([
    ['has ended is gone', 410, 'gone', 1],
    ['never was one is gone', 400, 'gone', 1],
    ['cannot take a text of this size is busy, and not asked again', 413, 'busy', 1],
    ['is throttled is busy, after four attempts', 429, 'busy', 4],
    ['stays without an answer of the gateway is busy, after four attempts', 500, 'busy', 4],
  ])('One that %s', async (_what, status, outcome, attempts) => {
    statuses = [status, status, status, status];
    expect(await connections().post(ID, 'text')).toBe(outcome);
    expect(received).toHaveLength(attempts);
  });

  test('Gets the text of the second attempt if it is throttled once', async () => {
    statuses = [429];
    expect(await connections().post(ID, 'text')).toBe('sent');
    expect(received).toHaveLength(2);
  });

  test.each([
    ['to which the function may not post', 403],
    ['that is sent to a wrong address', 300],
    ['whose request the gateway does not wait for', 499],
  ])('One %s causes an error, since all others would be refused as well', async (_what, status) => {
    statuses = [status];
    await expect(connections().post(ID, 'text')).rejects.toThrow(`status ${status}`);
    expect(received).toHaveLength(1);
  });

  test('Counts as busy behind an address where nothing listens', async () => {
    const nowhere = createAwsConnections({ endpoint: 'http://127.0.0.1:9/live', region: REGION });
    takeLogged();
    expect(await nowhere.post(ID, 'text')).toBe('busy');
    const warning = { level: 'warn', message: 'The gateway did not answer about a connection' };
    expect(takeLogged()).toMatchObject([warning]);
  });
});

describe('The sockets of a function', () => {
  const socketsOf = (): Sockets | undefined => withSockets(() => ({}) as Services)().sockets;

  test('Do not exist without their address', () => {
    expect(socketsOf()).toBeUndefined();
  });

  test('Use the API that clients connect to, or the address of the environment', async () => {
    vi.stubEnv('EVENT_SOCKET_URL', address.replace('http', 'ws').concat('/live'));
    expect(await socketsOf()?.post(ID, 'text')).toBe('sent');
    vi.stubEnv('EVENT_SOCKET_URL', 'wss://sockets.example.org/live');
    vi.stubEnv('AWS_ENDPOINT_URL_APIGATEWAYMANAGEMENTAPI', `${address}/emulator`);
    expect(await socketsOf()?.end(ID)).toBe('gone');
    expect(received.map(({ request }) => request.url?.split('/')[1])).toEqual(['live', 'emulator']);
    expect(socketsOf()?.url).toBe('wss://sockets.example.org/live');
  });
});
