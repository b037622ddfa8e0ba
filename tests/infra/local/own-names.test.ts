import { describe, expect, test } from 'vitest';
import { createNameCheck, hostNameOf } from '#infra/local/gateway/own-names.ts';
import { SOCKET_PATH } from '#infra/local/sockets/sockets.ts';
import { startTestService } from '#tests/harness/service.ts';
import { envelopeOf, sendRaw } from './gateway-fixture.ts';

const service = await startTestService({}, { publicUrl: 'https://chat.example.org' });

const get = (host: string, target = '/api/v1/server_settings', more = '') =>
  sendRaw(service.service, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`);

describe('The local service', () => {
  test.each([
    '127.0.0.1:9991',
    'localhost',
    'LOCALHOST:80',
    '[::1]:9991',
    'chat.example.org',
    'Chat.example.org:443',
  ])('Answers by its own name %s', async (host) => expect(await get(host)).toMatch(/^HTTP\/1.1 200 /));

  test.each([
    'evil.example',
    'evil.example:9991',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'chat.example.org.',
    'a@localhost',
    'localhost:9991@evil.example',
    '10.1.2.3',
    '',
  ])('Refuses a request by the foreign name %j', async (host) => {
    const reply = await get(host);
    expect(reply).toMatch(/^HTTP\/1.1 421 /);
    expect(envelopeOf(reply)).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
  });

  test.each(['/', '/docs', '/metrics', '/api/v1/users/me', 'http://evil.example/api/v1/server_settings'])(
    'Refuses %s by a foreign name, or with one in the target',
    async (target) => {
      const host = target.startsWith('http') ? 'localhost' : 'evil.example';
      expect(await get(host, target)).toMatch(/^HTTP\/1.1 421 /);
    },
  );

  test('Opens no socket under a foreign name', async () => {
    const upgrade =
      'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
    const request = `GET ${SOCKET_PATH} HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade\r\n${upgrade}\r\n`;
    expect(await sendRaw(service.service, request)).toMatch(/^HTTP\/1.1 421 /);
  });

  test('Refuses a foreign name before a client sends its body', async () => {
    const request = 'POST /api/v1/messages HTTP/1.1\r\nHost: evil.example\r\nExpect: 100-continue\r\n';
    expect(await sendRaw(service.service, `${request}Content-Length: 5\r\n\r\n`)).toMatch(/^HTTP\/1.1 421 /);
  });
});

test.each([
  ['0.0.0.0', undefined, ['10.0.0.7:80', 'localhost'], ['0.0.0.0', '10.0.0.8', 'chat.example.org']],
  ['::', undefined, ['10.0.0.7', '[::1]'], ['[::]', '[::2]']],
  ['chat.example.org', undefined, ['chat.example.org:9991'], ['example.org']],
  ['0.0.0.0', 'https://bücher.example', ['xn--bcher-kva.example'], ['bucher.example']],
])('A service that listens on %s for %s has the right names', (host, publicUrl, own, foreign) => {
  const isOwnName = createNameCheck(host, publicUrl);
  const check = (name: string) =>
    isOwnName({ headers: { host: name }, url: '/', socket: { localAddress: '::ffff:10.0.0.7' } });
  expect(own.map(check)).toEqual(own.map(() => true));
  expect(foreign.map(check)).toEqual(foreign.map(() => false));
});

test.each([
  ['a.b:80', 'a.b'],
  ['::1', '[::1]'],
  ['[::1]:9991', '[::1]'],
  ['a b', undefined],
  ['a:b', undefined],
  ['', undefined],
])('The host name of %j is %j', (authority, name) => expect(hostNameOf(authority)).toBe(name));
