// The operations createApiToken, listOwnApiTokens and revokeApiToken.
import { describe, expect, test } from 'vitest';
import { basic } from '#tests/harness/anonymous.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { TokenClient } from '#tests/harness/token-client.ts';

const ALL = ['read', 'send', 'organize'];

const service = await startTestService();
const person = await service.createUser('Person');
const other = await service.createUser('Other');

const PATH = '/users/me/tokens';
const withBasic = (email: string, password: string) => ({
  headers: { authorization: basic(email, password) },
});

describe('POST /users/me/tokens', () => {
  test('Creates a token that works as Bearer and as HTTP basic password, and shows its text once', async () => {
    const token = await TokenClient.create(person, ['read']);
    expect(token.apiKey).toMatch(/^tct_\d+_\d+_[\w-]{43}$/);
    const bearer = await token.get('/users/me');
    const password = await person.get('/users/me', {}, withBasic(person.email, token.apiKey));
    for (const { body } of [bearer, password])
      expect(body).toMatchObject({ result: 'success', user_id: person.userId });
    const list = await person.get(PATH);
    expect(JSON.stringify(list.body)).not.toContain(token.apiKey.slice(-20));
  });

  test.each([
    ['no scope', { scopes: [] }],
    ['an unknown scope', { scopes: ['admin'] }],
    ['a blank name', { name: '  ' }],
    ['a channel that does not exist', { channels: [999_999] }],
    ['no channel at all', { channels: [] }],
    ['an end in the past', { expires_in_seconds: -1 }],
  ])('Answers 400 for a token with %s', async (_what, params) => {
    const { status } = await person.post(PATH, { name: 'Test', scopes: ['read'], ...params });
    expect(status).toBe(400);
  });

  test('Answers 400 for a private channel that the caller does not know', async () => {
    const hidden = await other.subscribe('hidden', { invite_only: true });
    const params = { name: 'Test', scopes: ['read'], channels: [hidden] };
    expectRefusal(await person.post(PATH, params), 'Invalid channel ID');
  });

  test('Answers 400 for a person with 50 tokens', async () => {
    const collector = await service.createUser('Collector');
    for (let n = 0; n < 50; n++) await TokenClient.create(collector, ['read']);
    const { status } = await collector.post(PATH, { name: 'Test', scopes: ['read'] });
    expect(status).toBe(400);
  });
});

describe('The rights of a token', () => {
  test('End with the role of a demoted administrator', async () => {
    const admin = await service.createUser('Administrator', 200);
    const channelId = await other.subscribe('secret project', { invite_only: true });
    const token = await TokenClient.create(admin, ALL);
    expect((await token.get(`/streams/${channelId}`)).status).toBe(200);
    await service.setRole(admin.email, 400);
    expect((await token.get(`/streams/${channelId}`)).status).toBe(400);
  });

  test('Do not include polling or deleting queues that the API key registered', async () => {
    const token = await TokenClient.create(person, ALL);
    const { queueId } = await person.listen();
    const polled = await token.get('/events', { queue_id: queueId, last_event_id: -1, dont_block: true });
    expect(polled.body.code).toBe('BAD_EVENT_QUEUE_ID');
    expect((await token.delete('/events', { queue_id: queueId })).body.code).toBe('BAD_EVENT_QUEUE_ID');
  });

  test('Require the scope organize to move a message, and the scope send to change its text', async () => {
    const channelId = await person.subscribe('moves');
    const id = await person.send(channelId, 'old', 'first');
    const sender = await TokenClient.create(person, ['send']);
    const organizer = await TokenClient.create(person, ['organize']);
    const code = 'INSUFFICIENT_SCOPE';
    expect((await sender.patch(`/messages/${id}`, { topic: 'new' })).body.code).toBe(code);
    expect((await organizer.patch(`/messages/${id}`, { content: 'second' })).body.code).toBe(code);
    expect((await organizer.patch(`/messages/${id}`, { topic: 'new' })).status).toBe(200);
    expect((await sender.patch(`/messages/${id}`, { content: 'second' })).status).toBe(200);
  });
});

const DAY_SECONDS = 24 * 3600;

describe('GET /users/me/tokens', () => {
  test('Returns scopes, channels, expiry and last use of the caller’s valid tokens', async () => {
    const reader = await service.createUser('Reader');
    const channelId = await reader.subscribe('listed');
    const used = await TokenClient.create(reader, ['send', 'read'], { channels: [channelId] });
    await TokenClient.create(reader, ['organize'], { expires_in_seconds: null });
    await TokenClient.create(other, ['read']);
    await used.get('/users/me');
    const { body } = await reader.get(PATH);
    const [first, second] = body.tokens;
    expect(body.tokens).toHaveLength(2);
    expect(first).toMatchObject({ name: 'Test', scopes: ['read', 'send'], channels: [channelId] });
    expect(first.expires_at - first.created_at).toBe(90 * DAY_SECONDS);
    expect(first.last_used_at).toBeGreaterThanOrEqual(first.created_at);
    expect(second).toMatchObject({ channels: null, expires_at: null, last_used_at: null });
  });
});

describe('The end of a token', () => {
  const refused = { status: 401, body: { code: 'INVALID_API_KEY' } };

  test('A revoked token is refused, and polls that wait with it end', async () => {
    const token = await TokenClient.create(person, ['read']);
    const queue = await token.listen({ event_types: ['message'] });
    const poll = queue.poll();
    await service.untilHeld(queue);
    expect((await person.delete(`${PATH}/${token.tokenId}`)).status).toBe(200);
    expect(await poll).toMatchObject(refused);
    expect(await token.get('/users/me')).toMatchObject(refused);
  });

  test('A token of another person cannot be revoked, and looks as if it did not exist', async () => {
    const token = await TokenClient.create(person, ['read']);
    expect((await other.delete(`${PATH}/${token.tokenId}`)).status).toBe(404);
    expect((await token.get('/users/me')).status).toBe(200);
  });

  test('An expired token is refused', async () => {
    const late = await startTestService();
    const token = await TokenClient.create(late.owner, ['read'], { expires_in_seconds: 600 });
    late.advance(599_000);
    expect((await token.get('/users/me')).status).toBe(200);
    late.advance(2_000);
    expect(await token.get('/users/me')).toMatchObject(refused);
  });

  test('A new API key and a new password end all tokens of the account', async () => {
    const changer = await service.createUser('Changer');
    const first = await TokenClient.create(changer, ALL);
    await changer.post('/users/me/api_key/regenerate');
    expect(await first.get('/users/me')).toMatchObject(refused);
    await service.renewKey(changer);
    const second = await TokenClient.create(changer, ALL);
    await changer.patch('/settings', { old_password: PASSWORD, new_password: 'another good password' });
    expect(await second.get('/users/me')).toMatchObject(refused);
  });

  test('A token opens a reactivated account again, unless it was revoked', async () => {
    const returner = await service.createUser('Returner');
    const kept = await TokenClient.create(returner, ['read']);
    const revoked = await TokenClient.create(returner, ['read']);
    await returner.delete(`${PATH}/${revoked.tokenId}`);
    await service.deactivate(returner);
    expect((await kept.get('/users/me')).status).toBe(401);
    await service.owner.post(`/users/${returner.userId}/reactivate`);
    expect((await kept.get('/users/me')).status).toBe(200);
    expect(await revoked.get('/users/me')).toMatchObject(refused);
  });

  test.each([
    ['the secret of another token', (own: string, foreign: string) => own.slice(0, -43) + foreign.slice(-43)],
    ['the id of another token', (own: string, foreign: string) => foreign.slice(0, -43) + own.slice(-43)],
    ['a shortened secret', (own: string) => own.slice(0, -1)],
    ['the API key', (_own: string, _foreign: string) => person.apiKey],
    ['no text', () => ''],
  ])('Bearer with %s answers 401', async (_what, forge) => {
    const own = await TokenClient.create(person, ['read']);
    const foreign = await TokenClient.create(other, ['read']);
    own.apiKey = forge(own.apiKey, foreign.apiKey);
    expect(await own.get('/users/me')).toMatchObject(refused);
  });

  test('A token with the address of another person answers 401', async () => {
    const token = await TokenClient.create(person, ['read']);
    expect(await person.get('/users/me', {}, withBasic(other.email, token.apiKey))).toMatchObject(refused);
  });
});
