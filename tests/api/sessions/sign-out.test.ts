import { beforeEach, describe, expect, test } from 'vitest';
import { expectDeactivated } from '#tests/api/users/accounts.ts';
import { signedInBrowser, type TestBrowser } from '#tests/harness/browser.ts';
import type { Client, Reply } from '#tests/harness/client.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { callMe, expectSignedOut } from './browsers.ts';

const DAY_MS = 24 * 3600 * 1000;

const service = await startTestService();
const channelId = await service.owner.subscribe('general');

let ada: Client;
let browser: TestBrowser;
beforeEach(async () => {
  ada = await service.createUser('Ada');
  await ada.subscribe('general');
  browser = await signedInBrowser(service.url, ada.email);
});

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
    const held = browser.cookie;
    const { status, headers } = await browser.call('DELETE', '/session');
    expect(status).toBe(200);
    expect(headers.getSetCookie()).toEqual([
      `session-${new URL(service.url).port}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`,
    ]);
    expect(browser.cookie).toBeUndefined();
    expectSignedOut(await callMe(browser));
    // A kept copy of the cookie is useless.
    const copy = await browser.call('GET', '/users/me', {}, { headers: { cookie: held } });
    expectSignedOut(copy);
  });

  test('Leaves other browsers and the API key of the person alone', async () => {
    const other = await signedInBrowser(service.url, ada.email);
    await browser.call('DELETE', '/session');
    for (const { body } of [await callMe(other), await ada.get('/users/me')])
      expect(body.user_id).toBe(ada.userId);
  });

  test('Ends a waiting poll of the browser, without further events', async () => {
    const { waiting } = await waitingPoll(browser);
    await browser.call('DELETE', '/session');
    await service.owner.send(channelId, 'secret', 'not for the browser that was left');
    expectSignedOut(await waiting);
  });

  test('Does not end polls of other browsers', async () => {
    const other = await signedInBrowser(service.url, ada.email);
    const { waiting } = await waitingPoll(other);
    await browser.call('DELETE', '/session');
    await service.owner.send(channelId, 'topic', 'for the one that stays');
    const { body } = await waiting;
    expect(body.events.map(({ type }: { type: string }) => type)).toContain('message');
  });

  test('Ends every browser of the person if it is requested by the API key', async () => {
    const other = await signedInBrowser(service.url, ada.email);
    const { waiting } = await waitingPoll(other);
    expect((await ada.delete('/session')).status).toBe(200);
    expectSignedOut(await waiting);
    for (const each of [browser, other]) expect((await callMe(each)).status).toBe(401);
    expect((await ada.delete('/session')).status).toBe(200);
  });
});

/** Other ways to end all sessions of a person. */
const passwords = { old_password: PASSWORD, new_password: 'other horse ☃' };
const ends: [string, () => Promise<unknown>][] = [
  ['a regenerated key', () => ada.post('/users/me/api_key/regenerate')],
  ['a changed password', () => ada.patch('/settings', passwords)],
];

describe.each(ends)('Ending sessions: %s', (_name, end) => {
  test('Ends the sessions of all browsers, and a poll that waits in one', async () => {
    const other = await signedInBrowser(service.url, ada.email);
    const { waiting } = await waitingPoll(browser);
    await end();
    await service.owner.send(channelId, 'secret', 'not for old sessions');
    expectSignedOut(await waiting);
    for (const each of [browser, other]) expectSignedOut(await callMe(each));
  });
});

describe('Deactivating an account', () => {
  test('Ends every session, and reactivation does not restore them', async () => {
    await service.deactivate(ada);
    expectDeactivated(await callMe(browser));
    await service.owner.post(`/users/${ada.userId}/reactivate`);
    expectSignedOut(await callMe(browser));
  });
});

describe('The lifetime of a session', () => {
  test('Ends after 30 days', async () => {
    service.advance(30 * DAY_MS - 60_000);
    expect((await callMe(browser)).status).toBe(200);
    service.advance(60_000);
    expectSignedOut(await callMe(browser));
  });
});
