import { describe, expect, test } from 'vitest';
import { signedInBrowser, type TestBrowser } from '#tests/harness/browser.ts';
import type { Client, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';

const NOT_LOGGED_IN = 'Not logged in: API authentication or user session required';
const UNAUTHORIZED = { status: 401, code: 'UNAUTHORIZED' };
const DAY_MS = 24 * 3600 * 1000;

const service = await startTestService();
const channelId = await service.owner.subscribe('general');

async function signedIn(): Promise<{ one: Client; browser: TestBrowser }> {
  const one = await service.createUser('Ada');
  await one.subscribe('general');
  return { one, browser: await signedInBrowser(service.url, one.email) };
}

const callMe = (browser: TestBrowser): Promise<Reply> => browser.call('GET', '/users/me');

/** Begins a poll in a browser, and waits until it waits. */
async function waitingPoll(browser: TestBrowser): Promise<{ waiting: Promise<Reply> }> {
  const { body } = await browser.call('POST', '/register', { fetch_event_types: [] });
  const { queue_id, last_event_id } = body;
  const waiting = browser.call('GET', '/events', { queue_id, last_event_id });
  await callMe(browser);
  return { waiting };
}

describe('Signing out', () => {
  test('Ends the session of the browser and deletes its cookie', async () => {
    const { browser } = await signedIn();
    const held = browser.cookie;
    const { status, headers } = await browser.call('DELETE', '/session');
    expect(status).toBe(200);
    expect(headers.getSetCookie()).toEqual([
      `session-${new URL(service.url).port}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`,
    ]);
    expect(browser.cookie).toBeUndefined();
    expectRefusal(await callMe(browser), NOT_LOGGED_IN, UNAUTHORIZED);
    // A kept copy of the cookie is useless.
    const copy = await browser.call('GET', '/users/me', {}, { headers: { cookie: held } });
    expectRefusal(copy, NOT_LOGGED_IN, UNAUTHORIZED);
  });

  test('Leaves other browsers and the API key of the person alone', async () => {
    const { one, browser } = await signedIn();
    const other = await signedInBrowser(service.url, one.email);
    await browser.call('DELETE', '/session');
    for (const { body } of [await callMe(other), await one.get('/users/me')])
      expect(body.user_id).toBe(one.userId);
  });

  test('Ends a waiting poll of the browser, without further events', async () => {
    const { browser } = await signedIn();
    const { waiting } = await waitingPoll(browser);
    await browser.call('DELETE', '/session');
    await service.owner.send(channelId, 'secret', 'not for the browser that was left');
    expectRefusal(await waiting, NOT_LOGGED_IN, UNAUTHORIZED);
  });

  test('Does not end polls of other browsers', async () => {
    const { one, browser } = await signedIn();
    const other = await signedInBrowser(service.url, one.email);
    const { waiting } = await waitingPoll(other);
    await browser.call('DELETE', '/session');
    await service.owner.send(channelId, 'topic', 'for the one that stays');
    const { body } = await waiting;
    expect(body.events.map(({ type }: { type: string }) => type)).toContain('message');
  });

  test('Ends every browser of the person if it is requested by the API key', async () => {
    const { one, browser } = await signedIn();
    const other = await signedInBrowser(service.url, one.email);
    const { waiting } = await waitingPoll(other);
    expect((await one.delete('/session')).status).toBe(200);
    expectRefusal(await waiting, NOT_LOGGED_IN, UNAUTHORIZED);
    for (const each of [browser, other]) expect((await callMe(each)).status).toBe(401);
    expect((await one.delete('/session')).status).toBe(200);
  });
});

/** Other ways to end all sessions of a person. */
const ends: [string, (one: Client, browser: TestBrowser) => Promise<unknown>][] = [
  ['a regenerated key', (one) => one.post('/users/me/api_key/regenerate')],
  [
    'a changed password',
    (one) => one.patch('/settings', { old_password: PASSWORD, new_password: 'other horse ☃' }),
  ],
];

describe.each(ends)('Ending sessions: %s', (_name, end) => {
  test('Ends the sessions of all browsers, and a poll that waits in one', async () => {
    const { one, browser } = await signedIn();
    const other = await signedInBrowser(service.url, one.email);
    const { waiting } = await waitingPoll(browser);
    await end(one, browser);
    await service.owner.send(channelId, 'secret', 'not for old sessions');
    expectRefusal(await waiting, NOT_LOGGED_IN, UNAUTHORIZED);
    for (const each of [browser, other]) expectRefusal(await callMe(each), NOT_LOGGED_IN, UNAUTHORIZED);
  });
});

describe('Deactivating an account', () => {
  test('Ends every session, and reactivation does not restore them', async () => {
    const { one, browser } = await signedIn();
    await service.deactivate(one);
    expectRefusal(await callMe(browser), 'Account is deactivated', { status: 401, code: 'USER_DEACTIVATED' });
    await service.owner.post(`/users/${one.userId}/reactivate`);
    expectRefusal(await callMe(browser), NOT_LOGGED_IN, UNAUTHORIZED);
  });
});

describe('The lifetime of a session', () => {
  test('Ends after 30 days', async () => {
    const { browser } = await signedIn();
    service.advance(30 * DAY_MS - 60_000);
    expect((await callMe(browser)).status).toBe(200);
    service.advance(60_000);
    expectRefusal(await callMe(browser), NOT_LOGGED_IN, UNAUTHORIZED);
  });
});
