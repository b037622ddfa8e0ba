import { describe, expect, test } from 'vitest';
import { signedInBrowser } from '#tests/harness/browser.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();

const regenerate = async (client: Client): Promise<string> =>
  (await client.post('/users/me/api_key/regenerate')).body.api_key;

describe('Regenerating the own API key', () => {
  test('Returns a new key of 32 letters and digits, and invalidates the old one at once', async () => {
    const ada = await service.createUser('Ada');
    const next = await regenerate(ada);
    expect(next).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(next).not.toBe(ada.apiKey);
    expectRefusal(await ada.get('/users/me'), 'Invalid API key', { status: 401, code: 'INVALID_API_KEY' });
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
    const [ada, bo] = [await service.createUser('Ada'), await service.createUser('Bo')];
    await service.settle();
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
