import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { outsideChecks } from '#infra/smoke/outside.ts';
import { type Answer, type Answers, checkOf, Deployment, refusal, success } from './deployment.ts';

const SETTINGS = '/api/v1/server_settings';
const deployment = new Deployment();

/** The answers of a correct deployment to anyone. */
const OUTSIDE: Answers = {
  [`GET ${SETTINGS}`]: {
    ...success({ realm_name: 'Kiln' }),
    headers: { 'access-control-allow-origin': '*' },
  },
  [`HEAD ${SETTINGS}`]: {},
  'GET /api/v1/no-such-path': refusal(404),
  [`PUT ${SETTINGS}`]: { ...refusal(405), headers: { allow: 'GET, HEAD' } },
  'OPTIONS /api/v1/messages': { status: 204, headers: { 'access-control-allow-methods': 'GET, POST' } },
  'GET /': {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'self'" },
    body: '<script type="module" src="/assets/main.js"></script>',
  },
  'GET /assets/main.js': { headers: { 'content-type': 'text/javascript' } },
  'GET /api/v1/openapi.json': {
    headers: { 'content-encoding': 'gzip' },
    body: gzipSync('{"openapi":"3.1.0"}'),
  },
  'GET /api/v1/users/me': refusal(401),
};

describe('The smoke test without an account', () => {
  test('Sends no credentials, and passes if each answer is right', async () => {
    for (const check of outsideChecks) await deployment.look(check, OUTSIDE);
    for (const { line, headers } of deployment.asked)
      expect(headers.authorization, line).toBe(
        line === 'GET /api/v1/users/me' ? `Basic ${btoa('nobody@example.org:wrong')}` : undefined,
      );
    const preflight = deployment.asked.find(({ line }) => line.startsWith('OPTIONS'))?.headers;
    expect(preflight).toMatchObject({
      origin: 'https://example.org',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    });
    expect(
      deployment.asked.find(({ line }) => line.endsWith('openapi.json'))?.headers['accept-encoding'],
    ).toBe('gzip');
  });

  test.each<[string, string, Answer, string | RegExp]>([
    ['leads to its function', `GET ${SETTINGS}`, success({ realm_name: '' }), 'There is no organization'],
    ['leads to its function', `GET ${SETTINGS}`, refusal(200), '"error" instead of "success"'],
    ['leads to its function', `GET ${SETTINGS}`, refusal(503), 'status 503, {"result":"error"}'],
    ['HEAD answers', `HEAD ${SETTINGS}`, { status: 404 }, 'status: 404 instead of 200'],
    ['unknown path', 'GET /api/v1/no-such-path', refusal(200), 'status: 200 instead of 404'],
    ['unknown path', 'GET /api/v1/no-such-path', { status: 404, body: '{}' }, 'result: undefined'],
    ['missing method', `PUT ${SETTINGS}`, { status: 404, headers: { allow: 'GET' } }, 'status: 404'],
    ['missing method', `PUT ${SETTINGS}`, { status: 405, headers: { allow: 'POST' } }, 'Allow: "POST"'],
    ['missing method', `PUT ${SETTINGS}`, { status: 405 }, 'Allow: null'],
    [
      'other origins',
      'OPTIONS /api/v1/messages',
      { status: 404, headers: { 'access-control-allow-methods': 'POST' } },
      'status of OPTIONS: 404',
    ],
    ['other origins', 'OPTIONS /api/v1/messages', { status: 204 }, 'allowed methods: null'],
    ['other origins', `GET ${SETTINGS}`, success({}), 'allowed origin: null instead of "*"'],
    [
      'other origins',
      `GET ${SETTINGS}`,
      { ...refusal(503), headers: { 'access-control-allow-origin': '*' } },
      'GET /server_settings: status 503',
    ],
    [
      'leads to its function',
      `GET ${SETTINGS}`,
      { status: 500, body: 'x'.repeat(400) },
      /status 500, x{300}$/,
    ],
    ['web client', 'GET /', { ...OUTSIDE['GET /'], status: 404 }, 'status: 404 instead of 200'],
    ['web client', 'GET /', { headers: { 'content-type': 'application/json' } }, 'content type: "app'],
    ['web client', 'GET /', { headers: { 'content-type': 'text/html' } }, 'policy: null'],
    ['web client', 'GET /', { ...OUTSIDE['GET /'], body: '<p>' }, 'The page names no script'],
    ['web client', 'GET /assets/main.js', { status: 404 }, 'status of /assets/main.js: 404 instead of 200'],
    [
      'web client',
      'GET /assets/main.js',
      { headers: { 'content-type': 'text/html' } },
      'type of the script: "text/html"',
    ],
    ['compressed', 'GET /api/v1/openapi.json', { body: '{"openapi":"3.1.0"}' }, 'encoding: null'],
    [
      'compressed',
      'GET /api/v1/openapi.json',
      { headers: { 'content-encoding': 'gzip' }, body: gzipSync('{"openapi":"2.0"}') },
      'OpenAPI version: "2.0"',
    ],
    ['wrong key', 'GET /api/v1/users/me', refusal(200), 'status: 200 instead of 401'],
    ['wrong key', 'GET /api/v1/users/me', { status: 401, body: '{}' }, 'result: undefined'],
  ])('Reports a failure: %s, if %s answers %j', (words, line, answer, reason) =>
    deployment.expectBroken(checkOf(outsideChecks, words), { ...OUTSIDE, [line]: answer }, reason),
  );
});
