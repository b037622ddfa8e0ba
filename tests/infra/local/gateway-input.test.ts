import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { call, echo, envelopeOf, sendRaw, serve } from './gateway-fixture.ts';

const MEGABYTE = 1024 * 1024;

const gateway = await serve({
  getThing: echo('GET /things/{thing_id}', ['thing_id']),
  addThing: echo('POST /things', ['content']),
});

const expectStillServing = async () => expect((await call(gateway, '/things/me')).status).toBe(200);

describe('Request bodies', () => {
  const post = (body: NonNullable<RequestInit['body']>, contentType?: string) =>
    call(gateway, '/things', {
      method: 'POST',
      body,
      ...(contentType && { headers: { 'content-type': contentType } }),
    });

  test('Reach the endpoint form-encoded and as multipart', async () => {
    expect((await post(new URLSearchParams({ content: 'é & ü' }))).body.given.content).toBe('é & ü');
    const form = new FormData();
    form.set('content', 'é\r\nü');
    expect((await post(form)).body.given.content).toBe('é\r\nü');
  });

  test('Fail if a form is not UTF-8', async () => {
    const { status, body } = await post(Buffer.from([0x63, 0x3d, 0xff]), 'application/x-www-form-urlencoded');
    expect(status).toBe(400);
    expect(body.msg).toBe('The request body is not valid UTF-8');
  });

  test('Fail just over the 4 MiB of the service, and the connection stays', async () => {
    const { status, body } = await post(Buffer.alloc(4 * MEGABYTE + 1, 'a'), 'application/json');
    expect(status).toBe(413);
    expect(body).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
    await expectStillServing();
  });

  test('Answer 413 before they are sent if announced above 10 MB, and the connection closes', async () => {
    const reply = await sendRaw(
      gateway,
      `POST /api/v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: ${11 * MEGABYTE}\r\n\r\nstart`,
    );
    expect(reply).toMatch(/^HTTP\/1.1 413 /);
    expect(reply).toMatch(/^connection: close\r$/im);
    expect(envelopeOf(reply)).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
    await expectStillServing();
  });

  test('Answer 413 to a client that sends Expect, instead of 100', async () => {
    const reply = await sendRaw(
      gateway,
      `POST /api/v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: ${11 * MEGABYTE}\r\nExpect: 100-continue\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1.1 413 /);
  });

  test('Answer 100 to a client that sends Expect with a small body', async () => {
    const reply = await sendRaw(
      gateway,
      'POST /api/v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n' +
        'Connection: close\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\ncontent=a',
    );
    expect(reply).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /);
  });

  test('Answer 413 after 10 MB if their length is unknown', async () => {
    const chunk = `${MEGABYTE.toString(16)}\r\n${'a'.repeat(MEGABYTE)}\r\n`;
    const head = 'POST /api/v1/things HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    const reply = await sendRaw(gateway, head + chunk.repeat(11));
    expect(reply).toMatch(/^HTTP\/1.1 413 /);
    await expectStillServing();
  });

  test('Answer a client that sends more than 10 MB completely', async () => {
    const { status } = await post(Buffer.alloc(12 * MEGABYTE), 'application/octet-stream');
    expect(status).toBe(413);
  });
});

describe('Unfinished bodies', () => {
  const start = (bytes: number): string =>
    `POST /api/v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes + 1}\r\n\r\n${'a'.repeat(bytes)}`;

  test('Fail from the largest on if all bodies together are too large', async () => {
    const bodies = { totalBytes: 3 * MEGABYTE, stallMs: 3_600_000 };
    const own = await serve({ addThing: echo('POST /things', ['content']) }, { bodies });
    const larger = sendRaw(own, start(2 * MEGABYTE));
    const smaller = connect(own.port, '127.0.0.1');
    smaller.write(start(1.5 * MEGABYTE));
    expect(await larger).toMatch(/^HTTP\/1.1 429 /);
    const body = new URLSearchParams({ content: 'small' });
    expect((await call(own, '/things', { method: 'POST', body })).status).toBe(200);
    smaller.destroy();
  });

  test('Fail with 408 if nothing arrives', async () => {
    const bodies = { totalBytes: MEGABYTE, stallMs: 20 };
    const own = await serve({ addThing: echo('POST /things', ['content']) }, { bodies });
    const reply = await sendRaw(own, start(1_000));
    expect(reply).toMatch(/^HTTP\/1.1 408 /);
    expect(envelopeOf(reply)).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
  });

  test('Leave the total when their requests finish', async () => {
    const bodies = { totalBytes: 1.5 * MEGABYTE, stallMs: 3_600_000 };
    const own = await serve({ addThing: echo('POST /things', ['content']) }, { bodies });
    for (let count = 0; count < 3; count++) {
      const init = { method: 'POST', body: 'a'.repeat(MEGABYTE) };
      expect((await call(own, '/things', init)).status).toBe(200);
    }
  });
});

describe('Malformed requests', () => {
  test.each([
    ['nonsense', 'hello\r\n\r\n'],
    ['zero bytes', Buffer.alloc(64)],
    ['no host', 'GET /api/v1/things/me HTTP/1.1\r\n\r\n'],
    ['an unknown method', 'FROB /api/v1/things/me HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'two lengths',
      'POST /api/v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
    ['a zero byte in a header', 'GET /api/v1/things/me HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n'],
    ['a broken chunk', 'POST /api/v1/things HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ])('Like %s get 400, and the server continues', async (_name, bytes) => {
    const reply = await sendRaw(gateway, bytes);
    expect(reply).toMatch(/^HTTP\/1.1 400 /);
    await expectStillServing();
  });

  test('Get an answer in the envelope', async () => {
    expect(envelopeOf(await sendRaw(gateway, 'hello\r\n\r\n'))).toMatchObject({
      result: 'error',
      code: 'BAD_REQUEST',
    });
  });

  test('Get 431 if the headers are too large', async () => {
    const reply = await sendRaw(
      gateway,
      `GET /api/v1/things/me HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1.1 431 /);
    await expectStillServing();
  });

  test('Include a head above 10 kB, which gets 431 as on AWS', async () => {
    const get = (bytes: number) =>
      sendRaw(
        gateway,
        `GET /api/v1/things/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX: ${'a'.repeat(bytes)}\r\n\r\n`,
      );
    expect(await get(10_000)).toMatch(/^HTTP\/1.1 200 /);
    expect(await get(10_300)).toMatch(/^HTTP\/1.1 431 /);
  });

  test.each([20_000, 200_000])('On a kept connection get 431 for a target of %i bytes', async (bytes) => {
    const replies = await sendRaw(
      gateway,
      // Sent when the first answer is there.
      'GET /api/v1/things/me HTTP/1.1\r\nHost: x\r\n\r\n',
      `GET /api/v1/things/${'a'.repeat(bytes)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    expect(replies).toMatch(/^HTTP\/1.1 200 .*HTTP\/1.1 431 /s);
    await expectStillServing();
  });

  test('From a client that disconnects during its body harm no other client', async () => {
    const socket = connect(gateway.port, '127.0.0.1');
    const start = 'POST /api/v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nstart';
    await new Promise((resolve) => socket.write(start, resolve));
    socket.resetAndDestroy();
    await expectStillServing();
  });

  test.each([
    'OPTIONS * HTTP/1.1',
    'TRACE /api/v1/things/me HTTP/1.1',
    'GET http:// HTTP/1.1',
    'CONNECT chat.example:443 HTTP/1.1',
  ])('With the odd request line %s do no harm', async (requestLine) => {
    await sendRaw(gateway, `${requestLine}\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await expectStillServing();
  });

  test('Do not include an Upgrade header, which is ignored', async () => {
    const reply = await sendRaw(
      gateway,
      'GET /api/v1/things/me HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    expect(reply).toMatch(/^HTTP\/1.1 200 /);
  });
});
