import { describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { findPostTarget, gatewayRouteOf, pathOf } from '#shared/api/route.ts';
import { subscriptionOf } from '#tests/api/channels/channel-records.ts';
import { proves } from '#tests/conformance/proves.ts';
import { send, sendTo } from '#tests/harness/anonymous.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { envelopeOf, sendRaw } from '#tests/infra/local/gateway-fixture.ts';

const service = await startTestService();

const asOwner = { authorization: service.owner.authorization };
const call = (method: string, path: string) => send(service.url, path, { method, headers: asOwner });

describe('Every reply', () => {
  test.each([
    ['a success', 'GET', '/users/me', 200],
    ['a refusal', 'POST', '/users', 400],
    ['an unknown path', 'GET', '/nothing', 404],
    ['a wrong method', 'POST', '/users/me', 405],
  ])('To %s is JSON, never cached, and readable for other origins', async (_name, method, path, status) => {
    const { headers, ...reply } = await call(method, path);
    expect(reply.status).toBe(status);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('cache-control')).toBe('max-age=0, no-cache, no-store, must-revalidate, private');
    expect(headers.get('expires')).toBe('0');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(Number(headers.get('content-length'))).toBeGreaterThan(0);
    expect(['success', 'error']).toContain(reply.body.result);
    expect(typeof reply.body.msg).toBe('string');
  });

  test('Consists of one object and a line break, in UTF-8', proves('conventions.4'), async () => {
    const { userId } = await service.createUser('Zoë 🦄');
    const response = await fetch(`${service.url}/api/v1/users/${userId}`, { headers: asOwner });
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await response.arrayBuffer());
    expect(text).toMatch(/^\{.*\}\n$/s);
    expect(text).toContain('Zoë 🦄');
  });
});

describe('An unknown path', () => {
  const odd = ['/users/me/..%2f..', '/__proto__', '/%00', `/${'x'.repeat(5000)}`];
  test.each(['/', '/nothing', '/USERS/me', ...odd])('Answers 404, signed in or not: %#', async (path) => {
    for (const reply of [await call('GET', path), await send(service.url, path)])
      expectRefusal(reply, 'Endpoint not found.', { status: 404 });
  });

  const outside = ['/api', '/api/v1', '/api/v2/users', '/json/users', '/nothing.ico'];
  test.each(outside)('Outside the API has an envelope too: %s', proves('conventions.1'), async (path) => {
    const { status, body } = await sendTo(service.url + path);
    expect(status).toBe(404);
    expect(body).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
  });

  const broken = ['/users/%', '/users/%zz', '/users/%ff', '/%C3%28'];
  test.each(broken)('Answers 400 with the broken escape of %s', async (path) => {
    const request = `GET /api/v1${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    const reply = await sendRaw(service.service, request);
    expect(reply).toMatch(/^HTTP\/1.1 400 /);
    expect(envelopeOf(reply)).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
  });
});

describe('A wrong method', () => {
  test.each([
    ['POST', '/users/me', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH']],
    ['PUT', '/messages', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['DELETE', '/register', ['OPTIONS', 'POST']],
    ['PUT', '/users/me/subscriptions', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST']],
  ])('Answers 405 to %s %s with the right methods, and no code', async (method, path, allowed) => {
    const { status, headers, body } = await call(method, path);
    expect(status).toBe(405);
    expect(body).toEqual({ result: 'error', msg: 'Method Not Allowed', allowed_methods: allowed });
    expect(headers.get('allow')).toBe(allowed.join(', '));
  });

  test('Answers 405 without a body to HEAD of a path that has no GET', async () => {
    const { status, body } = await call('HEAD', '/register');
    expect([status, body]).toEqual([405, undefined]);
  });
});

const readable = ['/users/me', '/server_settings', '/users/999999'];
test.each(readable)('HEAD answers for %s like GET, without the body', async (path) => {
  const [head, get] = [await call('HEAD', path), await call('GET', path)];
  expect([head.status, head.body]).toEqual([get.status, undefined]);
  for (const name of ['content-type', 'content-length', 'cache-control'])
    expect(head.headers.get(name)).toBe(get.headers.get(name));
});

describe('OPTIONS', () => {
  test.each([
    ['/users/me', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['/users/me/subscriptions', 'DELETE, GET, HEAD, OPTIONS, POST'],
  ])('Returns the methods of %s to anybody, without a body', async (path, allowed) => {
    const { status, headers, body } = await send(service.url, path, { method: 'OPTIONS' });
    expect([status, body]).toEqual([204, undefined]);
    expect(headers.get('allow')).toBe(allowed);
    expect(headers.get('access-control-allow-methods')).toBe(allowed);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-headers')).toContain('Authorization');
  });

  test('Answers 404 for an unknown path', async () => {
    const reply = await send(service.url, '/nothing', { method: 'OPTIONS' });
    expectRefusal(reply, 'Endpoint not found.', { status: 404 });
  });
});

describe('The name of the client', () => {
  const clientOf = async (headers: Record<string, string>, params = {}) => {
    const message = { type: 'direct', to: [service.owner.userId], content: 'x', ...params };
    const { body } = await service.owner.post('/messages', message, { headers });
    return (await service.owner.get(`/messages/${body.id}`)).body.message.client;
  };

  test.each([
    ['ExampleMobile/27.1 (iOS 18)', 'ExampleMobile'],
    ['Mozilla/5.0 (X11)', 'Mozilla'],
    ['', 'Unspecified'],
    ['/1.0', 'Unspecified'],
    ['x'.repeat(500), 'x'.repeat(30)],
  ])('Precedes the version in User-Agent: %j', async (agent, name) => {
    expect(await clientOf({ 'user-agent': agent })).toBe(name);
  });

  test('May be set by the parameter `client`', async () => {
    expect(await clientOf({ 'user-agent': 'Other/1' }, { client: 'website' })).toBe('website');
    expect(await clientOf({ 'user-agent': 'Other/1' }, { client: '   ' })).toBe('Unspecified');
  });
});

const paths = ['/api/v1/server_settings', '/api/v1/nothing', '/robots.txt'];
test.each(paths)('%s requires https of browsers that came by it', async (path) => {
  const policyFor = async (headers: Record<string, string>) =>
    (await fetch(service.url + path, { headers })).headers.get('strict-transport-security');
  expect(await policyFor({ 'x-forwarded-proto': 'https' })).toBe('max-age=31536000');
  expect(await policyFor({})).toBeNull();
});

const FORM = 'application/x-www-form-urlencoded';
const post = (path: string, form: Record<string, string>, type = FORM) => {
  const headers = { authorization: service.owner.authorization, 'content-type': type };
  return send(service.url, path, { method: 'POST', headers, body: new URLSearchParams(form).toString() });
};

describe('The parameter method of a POST', () => {
  test('Selects that method, in any letter case', async () => {
    for (const method of ['PATCH', 'patch']) {
      const name = `Renamed by ${method}`;
      expect((await post('/realm', { method, name })).body.result).toBe('success');
      const { snapshot } = await service.owner.register({ fetch_event_types: ['realm'] });
      expect(snapshot.realm_name).toBe(name);
    }
  });

  test('Selects DELETE if the path has no other method', async () => {
    const { queueId } = await service.owner.register();
    expect((await post('/events', { method: 'DELETE', queue_id: queueId })).status).toBe(200);
    const gone = await service.owner.get('/events', { queue_id: queueId, last_event_id: -1 });
    expect(gone.body.code).toBe('BAD_EVENT_QUEUE_ID');
  });

  test('Answers an error if the path has another endpoint for POST', async () => {
    const channelId = await service.owner.subscribe('kept');
    const form = { method: 'DELETE', subscriptions: '[{"name":"never"}]' };
    const { status, body } = await post('/users/me/subscriptions', form);
    expect([status, body.allowed_methods]).toEqual([405, ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST']]);
    expect((await post(`/streams/${channelId}`, { method: 'DELETE' })).status).toBe(405);
    expect(await subscriptionOf(service.owner, 'kept')).toBeDefined();
    expect(await subscriptionOf(service.owner, 'never')).toBeUndefined();
  });

  const methods = ['GET', 'PUT', 'TRACE', 'nonsense', '', 'PATCH,POST'];
  test.each(methods)('Answers an error for %j if the path has no such method', async (method) => {
    for (const path of ['/realm', '/register'])
      expect((await post(path, { method, name: 'No' })).status).toBe(405);
  });

  test('Works only in a form: other bodies and the query are ignored', async () => {
    expect((await post('/realm', { method: 'PATCH', name: 'No' }, 'text/plain')).status).toBe(405);
    expect((await post('/realm?method=PATCH', { name: 'No' })).status).toBe(405);
  });

  test('Requires the credentials of the selected method', async () => {
    const body = new URLSearchParams({ method: 'PATCH', name: 'No' });
    expect((await send(service.url, '/realm', { method: 'POST', body })).status).toBe(401);
  });

  test('Works for every PATCH, except for a path that has a POST of its own', () => {
    const all = Object.values(endpoints);
    const unreachable = [...Map.groupBy(all, pathOf)].flatMap(([path, ofPath]) => {
      const isPatched = ofPath.some(({ route }) => route.startsWith('PATCH '));
      return isPatched && !findPostTarget(ofPath.map(gatewayRouteOf))?.startsWith('PATCH ') ? [path] : [];
    });
    expect(unreachable.sort()).toEqual(['/api/v1/realm/profile_fields']);
  });
});
