import { describe, expect, test } from 'vitest';
import { signedInBrowser } from '#tests/harness/browser.ts';
import type { Client, EventQueue, Reply } from '#tests/harness/client.ts';
import { createUsers, drainMessages, idsOf } from '#tests/harness/scene.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createBot } from '../bots/bots.ts';
import { expectDeactivated, expectInvalidKey } from './accounts.ts';

const service = await startTestService();

const regenerate = async (client: Client): Promise<string> =>
  (await client.post('/users/me/api_key/regenerate')).body.api_key;

describe('Regenerating the own API key', () => {
  test('Returns a new key of 32 letters and digits, and invalidates the old one at once', async () => {
    const ada = await service.createUser('Ada');
    const next = await regenerate(ada);
    expect(next).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(next).not.toBe(ada.apiKey);
    expectInvalidKey(await ada.get('/users/me'));
    ada.apiKey = next;
    expect((await ada.get('/users/me')).body.user_id).toBe(ada.userId);
  });

  test('Returns another key each time, and no earlier one works again', async () => {
    const ada = await service.createUser('Ada');
    const keys = [ada.apiKey];
    for (let round = 0; round < 3; round++) {
      ada.apiKey = await regenerate(ada);
      keys.push(ada.apiKey);
    }
    expect(new Set(keys).size).toBe(4);
    for (const [index, apiKey] of keys.entries()) {
      ada.apiKey = apiKey;
      expect((await ada.get('/users/me')).status).toBe(index === 3 ? 200 : 401);
    }
  });

  test('Leaves the keys of others and everything else alone', async () => {
    const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
    await expectConsistentSnapshot(service, [bo, service.owner], () => regenerate(ada));
    expect((await bo.get('/users/me')).status).toBe(200);
  });

  test('Returns different keys to simultaneous requests, of which one works', async () => {
    const ada = await service.createUser('Ada');
    const regenerate = () => ada.post('/users/me/api_key/regenerate');
    const replies = await Promise.all([regenerate(), regenerate(), regenerate()]);
    // A request that comes after the first change has a key that is no longer valid.
    const keys = replies.filter(({ status }) => status === 200).map(({ body }) => String(body.api_key));
    expect(keys.length).toBeGreaterThan(0);
    expect(new Set(keys).size).toBe(keys.length);
    const works: boolean[] = [];
    for (const apiKey of keys) {
      ada.apiKey = apiKey;
      works.push((await ada.get('/users/me')).status === 200);
    }
    expect(works.filter(Boolean)).toHaveLength(1);
  });

  test('Keeps the browser of the request signed in, and signs out all others and their polls', async () => {
    const ada = await service.createUser('Ada');
    const own = await signedInBrowser(service.url, ada.email);
    const other = await signedInBrowser(service.url, ada.email);
    const before = own.cookie;
    const { queue_id, last_event_id } = (await other.call('POST', '/register')).body;
    const waiting = other.call('GET', '/events', { queue_id, last_event_id });
    const { status, body } = await own.call('POST', '/users/me/api_key/regenerate');
    expect([status, body.api_key]).toEqual([200, expect.not.stringMatching(ada.apiKey)]);
    expect(own.cookie).not.toBe(before);
    expect((await own.call('GET', '/users/me')).body.user_id).toBe(ada.userId);
    expect((await own.call('GET', '/users/me', {}, { headers: { cookie: before } })).status).toBe(401);
    expect((await other.call('GET', '/users/me')).status).toBe(401);
    expect((await waiting).status).toBe(401);
  });
});

const channelId = await service.owner.subscribe('general');

const NEW_PASSWORD = 'other horse ☃';

/** A user in the channel, with a queue. */
async function listener(): Promise<{ person: Client; queue: EventQueue }> {
  const person = await service.createUser('Listener');
  await person.subscribe('general');
  return { person, queue: await person.listen() };
}

/** Ways in which a person replaces their own key, each with the next key. */
const ends: [string, (person: Client) => Promise<string>][] = [
  ['a regenerated key', regenerate],
  [
    'a changed password',
    async (person) => {
      const change = { old_password: PASSWORD, new_password: NEW_PASSWORD };
      expect((await person.patch('/settings', change)).status).toBe(200);
      const signIn = { username: person.email, password: NEW_PASSWORD };
      return (await person.post('/fetch_api_key', signIn)).body.api_key;
    },
  ],
];

describe.each(ends)('Replacing a key: %s', (_name, end) => {
  test('Invalidates the old key at once', async () => {
    const { person } = await listener();
    const next = await end(person);
    expect(next).not.toBe(person.apiKey);
    expectInvalidKey(await person.get('/users/me'));
    person.apiKey = next;
    expect((await person.get('/users/me')).status).toBe(200);
  });

  test('Ends a waiting poll of the old key, before it gets anything more', async () => {
    const { person, queue } = await listener();
    const waiting = queue.poll();
    await waits(person);
    await end(person);
    await service.owner.send(channelId, 'secret', 'not for the old key');
    expectInvalidKey(await waiting);
  });

  test('Leaves the queue to the new key, with everything before and after', async () => {
    const { person, queue } = await listener();
    const before = await service.owner.send(channelId, 'topic', 'before');
    person.apiKey = await end(person);
    const after = await service.owner.send(channelId, 'topic', 'after');
    expect(idsOf(await drainMessages(queue))).toEqual([before, after]);
  });
});

test('Settings that change without the password leave the key valid', async () => {
  const { person } = await listener();
  await person.patch('/settings', { enter_sends: true, full_name: 'Renamed' });
  expect((await person.get('/users/me')).body.full_name).toBe('Renamed');
});

test('A regenerated key of a bot ends the poll that waits with the old one', async () => {
  const owner = await service.createUser('Maker');
  const bot = await createBot(owner);
  const waiting = (await bot.listen()).poll();
  await waits(bot);
  await owner.post(`/bots/${bot.userId}/api_key/regenerate`);
  expectInvalidKey(await waiting);
});

describe('A deactivated account', () => {
  test('Gets nothing more in a waiting poll', async () => {
    const { person, queue } = await listener();
    const waiting = queue.poll();
    await waits(person);
    await service.owner.delete(`/users/${person.userId}`);
    await service.owner.send(channelId, 'secret', 'not for former members');
    expect((await waiting).body.code).toBe('BAD_EVENT_QUEUE_ID');
  });

  test('Keeps its key for the time after a reactivation, and so do its bots', async () => {
    const { person } = await listener();
    const bot = await createBot(person);
    await service.deactivate(person);
    for (const client of [person, bot]) expectDeactivated(await client.get('/users/me'));
    await service.owner.post(`/users/${person.userId}/reactivate`);
    await service.owner.post(`/users/${bot.userId}/reactivate`);
    for (const client of [person, bot]) expect((await client.get('/users/me')).status).toBe(200);
    const signIn = { username: person.email, password: PASSWORD };
    expect((await person.post('/fetch_api_key', signIn)).body.api_key).toBe(person.apiKey);
  });

  test.each(ends)('Does not get back what %s ended', async (_name, end) => {
    const { person } = await listener();
    const ended = person.apiKey;
    const next = await end(person);
    await service.deactivate(person);
    await service.owner.post(`/users/${person.userId}/reactivate`);
    expectInvalidKey(await person.get('/users/me'));
    person.apiKey = next;
    expect((await person.get('/users/me')).status).toBe(200);
    expect(next).not.toBe(ended);
  });
});

/** The client's earlier request has started once this is answered. */
const waits = (client: Client): Promise<Reply> => client.get('/users/me');
