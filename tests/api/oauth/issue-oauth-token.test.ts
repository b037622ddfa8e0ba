// The operations issueOauthToken and revokeOauthToken.
import { describe, expect, test } from 'vitest';
import { authorizeAgent } from '#tests/harness/agents.ts';
import { Program, REDIRECT } from '#tests/harness/oauth.ts';
import { startTestService } from '#tests/harness/service.ts';
import { TokenClient } from '#tests/harness/token-client.ts';

const service = await startTestService();
const person = await service.createUser('Person');
const program = await Program.register(service.url);

const refused = { status: 400, body: { error: 'invalid_grant' } };

describe('An authorization code', () => {
  test('Yields a token with the granted scopes and channels', async () => {
    const channelId = await person.subscribe('allowed');
    const chosen = { granted_scopes: '["read"]', channels: `[${channelId}]` };
    const { status, body, headers } = await program.exchange(await program.code(person, {}, chosen));
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read' });
    expect(headers.get('cache-control')).toBe('no-store');
    const holder = program.holder(person, body.access_token);
    expect((await holder.get('/streams')).body.streams).toHaveLength(1);
    expect((await holder.post('/messages', {})).body.code).toBe('INSUFFICIENT_SCOPE');
    const { body: listed } = await person.get('/users/me/tokens');
    expect(listed.tokens).toMatchObject([
      { name: 'Program', scopes: ['read'], channels: [channelId], is_from_oauth: true },
    ]);
  });

  test('Works once, and its second use revokes the token of the first', async () => {
    const code = await program.code(person);
    const { body } = await program.exchange(code);
    const holder = program.holder(person, body.access_token);
    expect((await holder.get('/users/me')).status).toBe(200);
    expect(await program.exchange(code)).toMatchObject(refused);
    expect((await holder.get('/users/me')).status).toBe(401);
    expect(await program.renew(body.refresh_token)).toMatchObject(refused);
  });

  test('Yields one token at most if it is used several times at once', async () => {
    const code = await program.code(person);
    const replies = await Promise.all(Array.from({ length: 5 }, () => program.exchange(code)));
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  test.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['no verifier', { code_verifier: undefined }],
    ['another address', { redirect_uri: 'http://127.0.0.1:9999/callback' }],
    ['no client', { client_id: undefined }],
    ['another client', { client_id: 'https://other.example/client' }],
  ])('Fails with %s, and stays valid for its program', async (_what, changes) => {
    const code = await program.code(person);
    expect(await program.exchange(code, changes)).toMatchObject(refused);
    expect((await program.exchange(code)).status).toBe(200);
  });

  test('Fails for another registered program', async () => {
    const thief = await Program.register(service.url, [REDIRECT, 'https://thief.example/']);
    const code = await program.code(person);
    expect(await thief.exchange(code)).toMatchObject(refused);
  });

  test('Ends after a minute, and with a new API key', async () => {
    const late = await startTestService();
    const there = await Program.register(late.url);
    const slow = await there.code(late.owner);
    late.advance(61_000);
    expect(await there.exchange(slow)).toMatchObject(refused);
    const code = await there.code(late.owner);
    await late.owner.post('/users/me/api_key/regenerate');
    expect(await there.exchange(code)).toMatchObject(refused);
  });

  test('Fails for another resource', async () => {
    const code = await program.code(person);
    const { body } = await program.exchange(code, { resource: 'https://other.example/mcp' });
    expect(body.error).toBe('invalid_target');
  });
});

describe('A refresh token', () => {
  test('Renews the token after its end, and revokes the token before it at once', async () => {
    const late = await startTestService();
    const there = await Program.register(late.url);
    const { body: first } = await there.exchange(await there.code(late.owner));
    late.advance(3_601_000);
    expect((await there.holder(late.owner, first.access_token).get('/users/me')).status).toBe(401);
    const { body: second } = await there.renew(first.refresh_token);
    expect((await there.holder(late.owner, second.access_token).get('/users/me')).status).toBe(200);
    late.advance(31 * 24 * 3600 * 1000);
    expect(await there.renew(second.refresh_token)).toMatchObject(refused);
  });

  test('Revokes everything if it is used a second time', async () => {
    const { body: first } = await program.exchange(await program.code(person));
    const { body: second } = await program.renew(first.refresh_token);
    expect(await program.renew(first.refresh_token)).toMatchObject(refused);
    expect(await program.renew(second.refresh_token)).toMatchObject(refused);
    expect((await program.holder(person, second.access_token).get('/users/me')).status).toBe(401);
  });

  test('Does not work as an access token, for other clients, or with more scopes', async () => {
    const code = await program.code(person, {}, { granted_scopes: '["read"]' });
    const { body } = await program.exchange(code);
    expect((await program.holder(person, body.refresh_token).get('/users/me')).status).toBe(401);
    const other = { client_id: 'https://other.example/client' };
    expect(await program.renew(body.refresh_token, other)).toMatchObject(refused);
    expect(await program.renew(body.access_token)).toMatchObject(refused);
    const renewed = await program.renew(body.refresh_token, { scope: 'read send organize' });
    expect(renewed.body.scope).toBe('read');
  });
});

test('Another grant type is refused', async () => {
  const { body } = await program.token({ grant_type: 'password', username: person.email });
  expect(body.error).toBe('unsupported_grant_type');
});

test.each(['modern', 'legacy'] as const)(
  "The SDK's client of the %s era gets a token by itself",
  async (era) => {
    const agent = await authorizeAgent(era, person);
    const { tools } = await agent.listTools();
    expect(tools.length).toBeGreaterThan(0);
    await agent.close();
  },
);

test.each(['access_token', 'refresh_token'])('A program revokes its token by the %s', async (kind) => {
  const { body } = await program.exchange(await program.code(person));
  expect((await program.revoke(body[kind])).status).toBe(200);
  const holder = program.holder(person, body.access_token);
  expect((await holder.get('/users/me')).status).toBe(401);
  expect((await program.renew(body.refresh_token)).status).toBe(400);
});

test('Revoking an unknown token succeeds, and tokens that a person created stay', async () => {
  expect((await program.revoke('tct_1_1_unknown')).status).toBe(200);
  const token = await TokenClient.create(service.owner, ['read']);
  await program.revoke(token.apiKey);
  expect((await token.get('/users/me')).status).toBe(200);
});
