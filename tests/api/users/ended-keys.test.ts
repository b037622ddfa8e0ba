import { describe, expect, test } from 'vitest';
import type { Client, EventQueue, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { createBot } from '../bots/bots.ts';

const service = await startTestService();
const channelId = await service.owner.subscribe('general');

const INVALID = { status: 401, code: 'INVALID_API_KEY' };
const DEACTIVATED = { status: 401, code: 'USER_DEACTIVATED' };
const NEW_PASSWORD = 'other horse ☃';

/** A user in the channel, with a queue. */
async function listener(): Promise<{ one: Client; queue: EventQueue }> {
  const one = await service.createUser('Listener');
  await one.subscribe('general');
  return { one, queue: await one.listen() };
}

/** Ways in which a person replaces their own key, each with the next key. */
const ends: [string, (one: Client) => Promise<string>][] = [
  ['a regenerated key', async (one) => (await one.post('/users/me/api_key/regenerate')).body.api_key],
  [
    'a changed password',
    async (one) => {
      const change = { old_password: PASSWORD, new_password: NEW_PASSWORD };
      expect((await one.patch('/settings', change)).status).toBe(200);
      const given = { username: one.email, password: NEW_PASSWORD };
      return (await one.post('/fetch_api_key', given)).body.api_key;
    },
  ],
];

describe.each(ends)('Replacing a key: %s', (_name, end) => {
  test('Invalidates the old key at once', async () => {
    const { one } = await listener();
    const next = await end(one);
    expect(next).not.toBe(one.apiKey);
    expectRefusal(await one.get('/users/me'), 'Invalid API key', INVALID);
    one.apiKey = next;
    expect((await one.get('/users/me')).status).toBe(200);
  });

  test('Ends a waiting poll of the old key, before it gets anything more', async () => {
    const { one, queue } = await listener();
    const waiting = queue.poll();
    await waits(one);
    await end(one);
    await service.owner.send(channelId, 'secret', 'not for the old key');
    expectRefusal(await waiting, 'Invalid API key', INVALID);
  });

  test('Leaves the queue to the new key, with everything before and after', async () => {
    const { one, queue } = await listener();
    const before = await service.owner.send(channelId, 'topic', 'before');
    one.apiKey = await end(one);
    const after = await service.owner.send(channelId, 'topic', 'after');
    const heard = (await queue.drain()).filter(({ type }) => type === 'message');
    expect(heard.map(({ message }) => message.id)).toEqual([before, after]);
  });
});

test('Settings that change without the password leave the key valid', async () => {
  const { one } = await listener();
  await one.patch('/settings', { enter_sends: true, full_name: 'Renamed' });
  expect((await one.get('/users/me')).body.full_name).toBe('Renamed');
});

test('A regenerated key of a bot ends the poll that waits with the old one', async () => {
  const owner = await service.createUser('Maker');
  const bot = await createBot(owner);
  const waiting = (await bot.listen()).poll();
  await waits(bot);
  await owner.post(`/bots/${bot.userId}/api_key/regenerate`);
  expectRefusal(await waiting, 'Invalid API key', INVALID);
});

describe('A deactivated account', () => {
  test('Gets nothing more in a waiting poll', async () => {
    const { one, queue } = await listener();
    const waiting = queue.poll();
    await waits(one);
    await service.owner.delete(`/users/${one.userId}`);
    await service.owner.send(channelId, 'secret', 'not for former members');
    expect((await waiting).body.code).toBe('BAD_EVENT_QUEUE_ID');
  });

  test('Keeps its key for the time after a reactivation, and so do its bots', async () => {
    const { one } = await listener();
    const bot = await createBot(one);
    await service.deactivate(one);
    for (const client of [one, bot])
      expectRefusal(await client.get('/users/me'), 'Account is deactivated', DEACTIVATED);
    await service.owner.post(`/users/${one.userId}/reactivate`);
    await service.owner.post(`/users/${bot.userId}/reactivate`);
    for (const client of [one, bot]) expect((await client.get('/users/me')).status).toBe(200);
    const given = { username: one.email, password: PASSWORD };
    expect((await one.post('/fetch_api_key', given)).body.api_key).toBe(one.apiKey);
  });

  test.each(ends)('Does not get back what %s ended', async (_name, end) => {
    const { one } = await listener();
    const ended = one.apiKey;
    const next = await end(one);
    await service.deactivate(one);
    await service.owner.post(`/users/${one.userId}/reactivate`);
    expectRefusal(await one.get('/users/me'), 'Invalid API key', INVALID);
    one.apiKey = next;
    expect((await one.get('/users/me')).status).toBe(200);
    expect(next).not.toBe(ended);
  });
});

/** The client's earlier request has started once this is answered. */
const waits = (client: Client): Promise<Reply> => client.get('/users/me');
