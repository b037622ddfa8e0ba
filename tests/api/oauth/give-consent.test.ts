// The operations getWellKnownDocument, giveConsent and registerOauthClient.
import { expect, test } from 'vitest';
import { sendTo } from '#tests/harness/anonymous.ts';
import { Program, REDIRECT, registerProgram } from '#tests/harness/oauth.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { TokenClient } from '#tests/harness/token-client.ts';

const service = await startTestService();
const person = await service.createUser('Person');
const program = await Program.register(service.url);

test('Consent sends the program a code with its state and the issuer', async () => {
  const { status, answer } = await program.consent(person);
  expect(status).toBe(200);
  expect(answer.get('code')).toMatch(/^\d+\.[\w-]{43}$/);
  expect(Object.fromEntries(answer)).toMatchObject({ state: 'the state', iss: service.url });
});

test('A person who allows nothing refuses the program', async () => {
  const { answer } = await program.consent(person, {}, { granted_scopes: '[]' });
  expect(Object.fromEntries(answer)).toMatchObject({ error: 'access_denied', state: 'the state' });
});

test('Scopes that the program did not request are not granted', async () => {
  const chosen = { granted_scopes: '["read","send","organize"]' };
  const { body } = await program.exchange(await program.code(person, { scope: 'read' }, chosen));
  expect(body.scope).toBe('read');
});

test('An address that is not the program’s gets no code', async () => {
  const { status, body } = await program.consent(person, { redirect_uri: 'https://evil.example/' });
  expect([status, body.redirect_to]).toEqual([400, undefined]);
});

test('A channel that the person does not know cannot be chosen', async () => {
  const hidden = await service.owner.subscribe('hidden', { invite_only: true });
  const chosen = { granted_scopes: '["read"]', channels: `[${hidden}]` };
  expect((await program.consent(person, {}, chosen)).status).toBe(400);
});

test('A token cannot give consent', async () => {
  const token = await TokenClient.create(person, ['read', 'send', 'organize']);
  const { status, body } = await program.consent(token);
  expect([status, body.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
});

test('A page of another site cannot give consent for a signed-in person', async () => {
  const signedIn = await sendTo(`${service.url}/api/v1/session`, {
    method: 'POST',
    body: new URLSearchParams({ username: person.email, password: PASSWORD }),
  });
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const answer = (site: string) => {
    const fields = program.asked() as Record<string, string>;
    return sendTo(`${service.url}/oauth/authorize`, {
      method: 'POST',
      headers: { cookie, 'sec-fetch-site': site },
      body: new URLSearchParams({ ...fields, granted_scopes: '["read"]' }),
    });
  };
  expect((await answer('cross-site')).status).toBe(403);
  expect((await answer('same-origin')).status).toBe(200);
});

const get = (document: string) => sendTo(`${service.url}/.well-known/${document}`);

test('One document names the resource and its authorization server', async () => {
  for (const name of ['oauth-protected-resource', 'oauth-protected-resource/mcp']) {
    const { body } = await get(name);
    expect(body).toMatchObject({ resource: `${service.url}/mcp`, authorization_servers: [service.url] });
  }
});

test('Another document names the endpoints of authorization, PKCE and documents of clients', async () => {
  const { body } = await get('oauth-authorization-server');
  expect(body).toMatchObject({
    issuer: service.url,
    authorization_endpoint: `${service.url}/oauth/authorize`,
    token_endpoint: `${service.url}/oauth/token`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  });
});

test('Unknown documents answer 404', async () => {
  expect((await get('openid-configuration')).status).toBe(404);
});

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
