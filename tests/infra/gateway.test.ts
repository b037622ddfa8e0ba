import { describe, expect, test } from 'vitest';
import type { AnyEndpoint, Route } from '#shared/api/endpoint.ts';
import type { HttpEvent, HttpReply } from '#shared/api/http.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { Services } from '#shared/runtime/services.ts';
import { takeErrors } from '#tests/harness/logged-lines.ts';
import { call, echo, edgeServices, envelopeOf, sendRaw, serve } from './local/gateway-fixture.ts';

const failing = (route: Route, failure: Error): AnyEndpoint => ({
  ...echo(route),
  handle: async () => {
    throw failure;
  },
});

const registry = {
  getMe: echo('GET /things/me'),
  getThing: echo('GET /things/{thing_id}', ['thing_id', 'wanted']),
  editThing: echo('PATCH /things/{thing_id}', ['thing_id', 'content']),
  getUser: echo('GET /users/{user_id_or_email}', ['user_id_or_email']),
  editUser: echo('PATCH /users/{user_id_or_email}', ['user_id_or_email']),
  getOwnUser: echo('GET /users/me'),
  getOwnThings: echo('GET /users/me/things'),
  getTheirThings: echo('GET /users/{user_id_or_email}/things', ['user_id_or_email']),
  getPart: echo('GET /things/{thing_id}/parts', ['thing_id']),
  getMyPart: echo('GET /things/me/{part_id}', ['part_id']),
  addThing: echo('POST /things'),
  getPlace: echo('GET /places/{place+}', ['place']),
  listPlaces: echo('GET /places'),
  getBestPlace: echo('GET /places/best'),
  getPartOfPlace: echo('GET /places/{place_id}/parts', ['place_id']),
  refuse: failing('GET /refusal', new BadRequest('No.')),
  crash: failing('GET /crash', new Error('a secret of the inside')),
};

const gateway = await serve(registry);
const base = `http://127.0.0.1:${gateway.port}/api/v1`;

const get = (path: string, init?: RequestInit) => call(gateway, path, init);

describe('Routing', () => {
  test('A literal segment beats a parameter', async () => {
    expect((await get('/things/me')).body.route).toBe('GET /things/me');
    expect((await get('/things/7')).body.route).toBe('GET /things/{thing_id}');
    expect((await get('/things/me/parts')).body.route).toBe('GET /things/me/{part_id}');
    expect((await get('/things/7/parts')).body.route).toBe('GET /things/{thing_id}/parts');
  });

  test('Path parameters are percent-decoded, slashes included', async () => {
    expect((await get('/things/a%2Fb%20%C3%A9+')).body.given.thing_id).toBe('a/b é+');
  });

  test.each([
    ['7', '7'],
    ['me%40example.com', 'me@example.com'],
    ['me@example.com', 'me@example.com'],
    ['ada+chat@example.com', 'ada+chat@example.com'],
    ['ada%2Bchat%40example.com', 'ada+chat@example.com'],
    ['a%2Fb@example.com', 'a/b@example.com'],
    ['%C3%A4d%C3%A4@b%C3%BCcher.example', 'ädä@bücher.example'],
    ["o'neil!$&*=~^`{|}@example.com", "o'neil!$&*=~^`{|}@example.com"],
    ['a%3Fb%23c@example.com', 'a?b#c@example.com'],
    ['%25@example.com', '%@example.com'],
    ['..%2F..@example.com', '../..@example.com'],
    ['me.', 'me.'],
    ['ME', 'ME'],
  ])('The path value %s reaches the one endpoint of its route as %s', async (sent, expected) => {
    for (const [suffix, method] of [
      ['', 'GET'],
      ['', 'PATCH'],
      ['/things', 'GET'],
    ] as const) {
      const { status, body } = await get(`/users/${sent}${suffix}`, { method });
      expect([status, body.route]).toEqual([200, `${method} /users/{user_id_or_email}${suffix}`]);
      expect(body.given.user_id_or_email).toBe(expected);
    }
  });

  test.each([
    ['a', 'a'],
    ['a/b/c', 'a/b/c'],
    ['a%2Fb%2Fc', 'a/b/c'],
    ['a/b%2Fc', 'a/b/c'],
    ['a//b/', 'a//b/'],
    ['100%2525%2F%C3%A9+.C3.A9', '100%25/é+.C3.A9'],
    ['a%3Fb%23c', 'a?b#c'],
    ['best/of/all', 'best/of/all'],
    ['7/parts/8', '7/parts/8'],
  ])('A parameter that takes the rest of the path gets %s as %s', async (sent, expected) => {
    const { status, body } = await get(`/places/${sent}`);
    expect([status, body.route]).toEqual([200, 'GET /places/{place+}']);
    expect(body.given.place).toBe(expected);
  });

  test('A trailing slash is ignored unless a parameter takes the rest of the path', async () => {
    expect((await get('/things/7/')).body.route).toBe('GET /things/{thing_id}');
    expect((await get('/places/a/')).body.given.place).toBe('a/');
  });

  test('Literal segments are percent-decoded before they are compared', async () => {
    expect((await get('/th%69ngs/me')).body.route).toBe('GET /things/me');
  });

  test('The query string reaches the endpoint as it was sent', async () => {
    expect((await get('/things/7?wanted=a%26b?c')).body.given.wanted).toBe('a&b?c');
  });

  test.each(['/nothing', '/nothing/', '/things/7//', '//things/7', '/things/7/parts/8', '/THINGS/7'])(
    'The unknown path %s answers 404',
    async (path) => {
      const { status, body } = await get(path);
      expect(status).toBe(404);
      expect(body).toEqual({ result: 'error', msg: 'Endpoint not found.', code: 'BAD_REQUEST' });
    },
  );

  test.each(['/', '/api', '/api/v1', '/api/v2/things/me', '/things/me'])(
    'The path %s outside the API answers 404 in the envelope',
    async (path) => {
      const reply = await fetch(`http://127.0.0.1:${gateway.port}${path}`);
      expect(reply.status).toBe(404);
      expect(await reply.json()).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
    },
  );

  test('A wrong method answers 405 with the methods that the path has', async () => {
    const { status, headers, body } = await get('/things/7', { method: 'DELETE' });
    expect(status).toBe(405);
    expect(headers.get('allow')).toContain('GET');
    expect(body).toMatchObject({ result: 'error', msg: 'Method Not Allowed' });
    expect(body.allowed_methods).toEqual(expect.arrayContaining(['GET', 'HEAD', 'PATCH']));
    expect(body.allowed_methods).not.toContain('DELETE');
  });

  test('HEAD is answered like GET, without a body', async () => {
    const [head, full] = await Promise.all([
      fetch(`${base}/things/7`, { method: 'HEAD' }),
      fetch(`${base}/things/7`),
    ]);
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(full.headers.get('content-length'));
    expect(await head.text()).toBe('');
  });

  test('OPTIONS returns the methods that a browser may send from elsewhere', async () => {
    const { status, headers, body } = await get('/things/7', { method: 'OPTIONS' });
    expect(status).toBe(204);
    expect(body).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(headers.get('access-control-allow-headers')).toContain('Authorization');
  });

  test.each([204, 304])('A response of status %i has neither a body nor its length', async (statusCode) => {
    const own = await serve(registry, { beside: async () => ({ statusCode, headers: {}, body: 'a body' }) });
    const reply = await fetch(`http://127.0.0.1:${own.port}/beside`);
    expect([reply.status, await reply.text(), reply.headers.get('content-length')]).toEqual([
      statusCode,
      '',
      null,
    ]);
  });

  test('Requests that come before the services are ready wait for them', async () => {
    const ready = Promise.withResolvers<Services>();
    const early = await serve(registry, { services: ready.promise });
    const reply = fetch(`http://127.0.0.1:${early.port}/api/v1/things/me`);
    ready.resolve(edgeServices);
    expect((await reply).status).toBe(200);
  });
});

describe('Failures', () => {
  test('A declared error keeps its status and code', async () => {
    const { status, body } = await get('/refusal');
    expect(status).toBe(400);
    expect(body).toEqual({ result: 'error', msg: 'No.', code: 'BAD_REQUEST' });
  });

  test('A defect answers 500 in the envelope and reveals nothing of the inside', async () => {
    const { status, body } = await get('/crash');
    expect(status).toBe(500);
    expect(body).toEqual({ result: 'error', msg: 'Internal server error' });
    expect(takeErrors()).toEqual(['A request failed']);
  });

  test('A failure outside the endpoints answers 500 as well, and a failed send ends its connection only', async () => {
    const beside = async ({ rawPath }: HttpEvent): Promise<HttpReply> => {
      if (rawPath.endsWith('/fails')) throw new Error('a secret of the inside');
      return { statusCode: 200, headers: { 'X-Note': 'two\nlines' }, body: '' };
    };
    const own = await serve(registry, { beside });
    const { status, body } = await call(own, '/fails');
    expect([status, body]).toEqual([500, { result: 'error', msg: 'Internal server error' }]);
    expect(takeErrors()).toEqual(['A request failed']);
    await expect(call(own, '/another')).rejects.toThrow();
    expect(takeErrors()).toEqual(['A reply could not be sent']);
    expect((await call(own, '/things/me')).status).toBe(200);
  });

  test.each(['/things/%', '/things/%zz', '/things/%ff', '/%C3%28/me'])(
    'The broken percent-encoding of %s answers 400',
    async (path) => {
      const reply = await sendRaw(
        gateway,
        `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect(reply).toMatch(/^HTTP\/1.1 400 /);
      expect(envelopeOf(reply)).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
    },
  );
});

describe('Headers', () => {
  test('The endpoint gets the calling program and address', async () => {
    const { body } = await get('/things/me', { headers: { 'User-Agent': 'ExampleClient/1.2' } });
    expect(body).toMatchObject({ client: 'ExampleClient', clientAddress: '127.0.0.1' });
  });

  test('Headers of the same name are joined by a comma', async () => {
    const reply = await sendRaw(
      gateway,
      'GET /api/v1/things/me HTTP/1.1\r\nHost: x\r\nUSER-Agent: A\r\nuser-agent: B\r\nConnection: close\r\n\r\n',
    );
    expect(envelopeOf(reply).client).toBe('A,B');
  });

  test('A proxy may write the whole address', async () => {
    const reply = await sendRaw(
      gateway,
      'GET http://chat.example/api/v1/things/7?wanted=x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(envelopeOf(reply).given).toEqual({ thing_id: '7', wanted: 'x' });
  });
});
