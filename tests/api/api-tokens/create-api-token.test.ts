import { describe, expect, test } from 'vitest';
import { startTestService } from '#tests/harness/service.ts';
import { TokenClient } from '#tests/harness/token-client.ts';

const ALL = ['read', 'send', 'organize'];

const service = await startTestService();
const person = await service.createUser('Person');
const other = await service.createUser('Other');

const basic = (email: string, password: string) => ({
  headers: { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` },
});

describe('POST /users/me/tokens', () => {
  test('Creates a token that works as Bearer and as HTTP basic password, and shows its text once', async () => {
    const token = await TokenClient.create(person, ['read']);
    expect(token.apiKey).toMatch(/^tct_\d+_\d+_[\w-]{43}$/);
    const bearer = await token.get('/users/me');
    expect(bearer.body).toMatchObject({ result: 'success', user_id: person.userId });
    const { body } = await person.get('/users/me', {}, basic(person.email, token.apiKey));
    expect(body).toMatchObject({ result: 'success', user_id: person.userId });
    const list = await person.get('/users/me/tokens');
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
    const { status } = await person.post('/users/me/tokens', { name: 'Test', scopes: ['read'], ...params });
    expect(status).toBe(400);
  });

  test('Answers 400 for a private channel that the caller does not know', async () => {
    const hidden = await other.subscribe('hidden', { invite_only: true });
    const params = { name: 'Test', scopes: ['read'], channels: [hidden] };
    const { status, body } = await person.post('/users/me/tokens', params);
    expect(status).toBe(400);
    expect(body.msg).toBe('Invalid channel ID');
  });

  test('Answers 400 for a person with 50 tokens', async () => {
    const collector = await service.createUser('Collector');
    for (let n = 0; n < 50; n++) await TokenClient.create(collector, ['read']);
    const { status } = await collector.post('/users/me/tokens', { name: 'Test', scopes: ['read'] });
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
