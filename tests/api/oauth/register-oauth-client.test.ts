import { expect, test } from 'vitest';
import { Program, REDIRECT, registerProgram } from '#tests/harness/oauth.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

const good = { client_name: 'Program', redirect_uris: [REDIRECT] };

test('A program gets an id, and no secret', async () => {
  const { status, body } = await registerProgram(service.url, good);
  expect(status).toBe(201);
  expect(body).toMatchObject({ ...good, token_endpoint_auth_method: 'none' });
  expect(body.client_secret).toBeUndefined();
});

test.each([
  ['no address', { redirect_uris: [] }],
  ['an address without protection', { redirect_uris: ['http://example.com/callback'] }],
  ['an address that runs script', { redirect_uris: ['javascript:alert(1)//'] }],
  ['an address that holds a page', { redirect_uris: ['data:text/html,x'] }],
  ['a fragment', { redirect_uris: ['https://example.com/#x'] }],
  ['credentials in an address', { redirect_uris: ['https://a:b@example.com/'] }],
  ['a backslash', { redirect_uris: ['https://example.com\\@evil.example/'] }],
  ['too many addresses', { redirect_uris: Array.from({ length: 11 }, (_, n) => `https://e.example/${n}`) }],
  ['a long name', { client_name: 'x'.repeat(101) }],
  ['a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
])('A program with %s answers 400', async (_what, changes) => {
  const { status, body } = await registerProgram(service.url, { ...good, ...changes });
  expect(status).toBe(400);
  expect(body.error).toMatch(/^invalid_/);
});

test.each(['{', '[]', 'null', '7'])('Metadata %s answers 400', async (metadata) => {
  expect((await registerProgram(service.url, metadata)).status).toBe(400);
});

test('A registration that was changed, or has expired, is unknown', async () => {
  const late = await startTestService();
  const { clientId } = await Program.register(late.url);
  const [kind, body = '', signature] = clientId.split('.');
  const changed = Buffer.from(body, 'base64url').toString().replace('127.0.0.1', 'localhost');
  const forged = [kind, Buffer.from(changed).toString('base64url'), signature].join('.');
  expect((await new Program(late.url, forged).page()).status).toBe(400);
  expect((await new Program(late.url, clientId).page()).status).toBe(200);
  late.advance(91 * 24 * 3600 * 1000);
  expect((await new Program(late.url, clientId).page()).status).toBe(400);
});
