import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOutside, type Resolve } from '#shared/adapters/outside/call.ts';
import { readOpenings } from '#shared/runtime/outside/openings.ts';
import { OutsideFailure, type OutsideRequest } from '#shared/runtime/outside/outside.ts';
import { Receiver } from '#tests/harness/receiver.ts';

const receiver = new Receiver();
let port: string;

beforeAll(async () => {
  await receiver.start();
  [, port = ''] = receiver.host.split(':');
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.respond = (_received, response) => void response.end('hello');
});

const LOOPBACK = { address: '127.0.0.1', family: 4 };

/** The result of a request: the answer, or the class of the failure. */
async function call(
  url: string,
  asked: Partial<OutsideRequest> = {},
  { allowed = receiver.host, resolve = undefined as Resolve | undefined } = {},
) {
  const outside = createOutside({ openings: readOpenings(allowed), ...(resolve && { resolve }) });
  const request = {
    method: 'GET',
    redirects: 0,
    maxBytes: 1_000,
    ifLonger: 'fail',
    timeoutMs: 10_000,
  } as const;
  try {
    const { body, ...answer } = await outside.call({ url, ...request, ...asked });
    return { ...answer, text: Buffer.from(body).toString() };
  } catch (failure) {
    if (!(failure instanceof OutsideFailure)) throw failure;
    return failure.kind;
  }
}

test('A request carries its method, headers and body, and no credentials', async () => {
  const answer = await call(`${receiver.url}/hook?a=1`, {
    method: 'POST',
    body: '{"ü":1}',
    headers: { 'user-agent': 'Test' },
  });
  expect(answer).toMatchObject({ status: 200, text: 'hello' });
  const [{ method, path, body, headers } = { headers: {} }] = receiver.received;
  expect({ method, path, body }).toEqual({ method: 'POST', path: '/hook?a=1', body: '{"ü":1}' });
  expect(headers).toMatchObject({ host: receiver.host, 'user-agent': 'Test', connection: 'close' });
  expect(Object.keys(headers)).not.toContain('cookie');
});

test('A compressed answer is decompressed', async () => {
  receiver.respond = (_received, response) =>
    void response.setHeader('content-encoding', 'gzip').end(gzipSync('hello'));
  expect(await call(receiver.url)).toMatchObject({ text: 'hello' });
});

describe('Names', () => {
  test('With one private address among public ones are refused before a connection', async () => {
    const resolve: Resolve = async () => [{ address: '8.8.8.8', family: 4 }, LOOPBACK];
    expect(await call('http://example.com/', {}, { resolve })).toBe('refused');
  });

  test('With a later change of address are reached at the checked one', async () => {
    let resolutions = 0;
    const resolve: Resolve = async () => {
      resolutions++;
      return [resolutions === 1 ? LOOPBACK : { address: '169.254.169.254', family: 4 }];
    };
    const answer = await call(`http://bots.example:${port}/`, {}, { resolve });
    expect(answer).toMatchObject({ text: 'hello' });
    expect(resolutions).toBe(1);
    expect(receiver.received[0]?.headers.host).toBe(`bots.example:${port}`);
  });

  test('Without any address cannot be reached', async () => {
    const fails: Resolve = () => Promise.reject(new Error('ENOTFOUND'));
    expect(await call('http://example.com/', {}, { resolve: fails })).toBe('unreachable');
    expect(await call('http://example.com/', {}, { resolve: async () => [] })).toBe('refused');
  });

  test('Time out if they never resolve', async () => {
    const resolve: Resolve = () => Promise.withResolvers<never>().promise;
    expect(await call('http://example.com/', { timeoutMs: 50 }, { resolve })).toBe('timeout');
  });
});

describe('Redirects', () => {
  const redirectTo = (location: string) => {
    receiver.respond = ({ path }, response) => {
      if (path === '/end') response.end('end');
      else response.writeHead(302, { location }).end();
    };
  };

  test.each([
    'http://127.0.0.1/',
    'http://localhost:1/',
    'http://2130706433/',
    '//169.254.169.254/',
    'file:///etc/passwd',
  ])('To %s are refused', async (location) => {
    redirectTo(location);
    expect(await call(receiver.url, { redirects: 5 })).toBe('refused');
  });

  test('Up to the limit are followed', async () => {
    redirectTo('/end');
    expect(await call(receiver.url, { redirects: 1 })).toMatchObject({
      text: 'end',
      url: `${receiver.url}/end`,
    });
    redirectTo('/again');
    expect(await call(receiver.url, { redirects: 2 })).toBe('badAnswer');
    expect(await call(receiver.url, { redirects: 0 })).toMatchObject({ status: 302 });
  });
});

describe('Hostile answers', () => {
  test('Without an end are cut or refused at the limit', async () => {
    receiver.respond = (_received, response) => {
      const more = (): void => {
        while (response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    };
    expect(await call(receiver.url)).toBe('badAnswer');
    expect(await call(receiver.url, { ifLonger: 'cut' })).toMatchObject({ text: 'x'.repeat(1_000) });
  });

  test('With compression count by their decompressed bytes', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    receiver.respond = (_received, response) => void response.setHeader('content-encoding', 'gzip').end(bomb);
    expect(await call(receiver.url)).toBe('badAnswer');
  });

  test.each([
    ['gzip', 'no gzip'],
    ['unknown', 'text'],
  ])('In broken %s are bad answers', async (coding, text) => {
    receiver.respond = (_received, response) => void response.setHeader('content-encoding', coding).end(text);
    expect(await call(receiver.url)).toBe('badAnswer');
  });

  test('Time out if they arrive too slowly, or never', async () => {
    receiver.respond = (_received, response) => {
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    };
    expect(await call(receiver.url, { timeoutMs: 300 })).toBe('timeout');
    receiver.respond = () => {};
    expect(await call(receiver.url, { timeoutMs: 300 })).toBe('timeout');
  });

  test('Count as unreachable if the connection breaks', async () => {
    receiver.respond = (_received, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('x');
      setTimeout(() => response.destroy(), 20);
    };
    expect(await call(receiver.url)).toBe('unreachable');
    receiver.respond = (_received, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.write(gzipSync('x'.repeat(100)).subarray(0, 12));
      setTimeout(() => response.destroy(), 20);
    };
    expect(await call(receiver.url)).toBe('unreachable');
  });

  test('With headers beyond the limit are bad answers', async () => {
    receiver.respond = (_received, response) => void response.setHeader('x-long', 'x'.repeat(20_000)).end();
    expect(await call(receiver.url)).toBe('badAnswer');
  });
});

test('A closed port is unreachable', async () => {
  const closed = await new Receiver().start();
  const { host, url } = closed;
  await closed.stop();
  expect(await call(url, {}, { allowed: host })).toBe('unreachable');
});
