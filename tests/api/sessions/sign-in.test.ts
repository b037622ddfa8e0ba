import { beforeEach, describe, expect, test } from 'vitest';
import { findAccount } from '#shared/store/users/users.ts';
import { expectDeactivated } from '#tests/api/users/accounts.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import { signedInBrowser, TestBrowser } from '#tests/harness/browser.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { callMe, expectSignedIn } from './browsers.ts';

const WINDOW_SECONDS = 1800;
const WRONG = { status: 401, code: 'AUTHENTICATION_FAILED' };
const WRONG_TEXT = 'Your username or password is incorrect';
const FOREIGN = { status: 403, code: 'CSRF_FAILED' };
const FOREIGN_TEXT = 'Requests with a session must come from a page of this service.';

const service = await startTestService();
let ada: Client;
let params: Params;
beforeEach(async () => {
  ada = await service.createUser('Ada');
  params = { username: ada.email, password: PASSWORD };
});

const newBrowser = () => new TestBrowser(service.url);
const cookieNameOf = (url: string): string => `session-${new URL(url).port}`;

describe('Signing in with the right password', () => {
  test('Makes later requests of the browser work without an API key', async () => {
    const browser = newBrowser();
    await expectSignedIn(await browser.signIn(ada.email), browser, ada);
  });

  test('Works with an address in any letter case and with white space around it', async () => {
    expect((await newBrowser().signIn(` ${ada.email.toUpperCase()}\t`)).body.email).toBe(ada.email);
  });

  test('Sets a cookie that scripts and other sites cannot use, for 30 days', async () => {
    const [cookie, ...others] = (await newBrowser().signIn(ada.email)).headers.getSetCookie();
    expect(others).toEqual([]);
    const [pair, ...flags] = cookie?.split('; ') ?? [];
    expect(pair).toMatch(new RegExp(`^${cookieNameOf(service.url)}=[\\w.-]{43,}$`));
    expect(flags).toEqual(['Path=/', 'Max-Age=2592000', 'HttpOnly', 'SameSite=Lax']);
  });

  test('Sets a cookie for encrypted connections to this host only, if the connection is encrypted', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const browser = newBrowser();
    const [cookie] = (await browser.call('POST', '/session', params, { headers })).headers.getSetCookie();
    const [pair, ...flags] = cookie?.split('; ') ?? [];
    expect(pair).toMatch(/^__Host-session=/);
    expect(flags).toEqual(['Path=/', 'Max-Age=2592000', 'HttpOnly', 'SameSite=Lax', 'Secure']);
    expect((await browser.call('GET', '/users/me', {}, { headers })).status).toBe(200);
    // The same cookie on a connection that everyone can read.
    expect((await callMe(browser)).status).toBe(401);
  });

  test('Leaves nothing in the table that opens a session', async () => {
    const browser = await signedInBrowser(service.url, ada.email);
    const [text = ''] = browser.cookies.values();
    const stored = JSON.stringify(await findAccount(service.services.table, ada.email));
    expect(stored).toContain('"sessions"');
    for (const part of text.split('.')) expect(stored).not.toContain(part);
  });

  test('Answers for a deactivated account with that error and no cookie', async () => {
    await service.deactivate(ada);
    const reply = await newBrowser().signIn(ada.email);
    expectDeactivated(reply);
    expect(reply.headers.getSetCookie()).toEqual([]);
  });
});

describe('Signing in with a wrong password', () => {
  test.each(['', ' ', 'wrong', PASSWORD.toUpperCase(), `${PASSWORD}\0`, 'x'.repeat(100_000)])(
    'Fails, and sets no cookie (%#)',
    async (password) => {
      const reply = await newBrowser().signIn(ada.email, password);
      expectRefusal(reply, WRONG_TEXT, WRONG);
      expect(reply.headers.getSetCookie()).toEqual([]);
    },
  );

  test('Gives the same answer with and without an account', async () => {
    for (const email of [ada.email, 'no@example.com'])
      expectRefusal(await newBrowser().signIn(email, 'wrong'), WRONG_TEXT, WRONG);
  });

  test('Counts together with wrong API keys', async () => {
    for (let n = 0; n < 3; n++) await newBrowser().signIn(ada.email, 'wrong');
    for (let n = 0; n < 2; n++)
      await sendForm(service.url, '/fetch_api_key', { username: ada.email, password: 'wrong' });
    const closed = await newBrowser().signIn(ada.email);
    const { 'retry-after': retryAfter } = closed.body;
    const refusal = { status: 429, code: 'RATE_LIMIT_HIT', 'retry-after': retryAfter };
    expectRefusal(closed, 'API usage exceeded rate limit', refusal);
    service.advance(WINDOW_SECONDS * 1000);
    expect((await newBrowser().signIn(ada.email)).status).toBe(200);
  });

  test('Includes a missing parameter', async () => {
    const browser = newBrowser();
    expectMissing(await browser.call('POST', '/session', { password: 'x' }), 'username');
    expectMissing(await browser.call('POST', '/session', { username: 'a@example.com' }), 'password');
  });
});

describe('Signing in by a page of another site', () => {
  test.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
    { 'sec-fetch-site': undefined, origin: 'null' },
  ])('Fails: %j', async (headers) => {
    const reply = await newBrowser().call('POST', '/session', params, { headers });
    expectRefusal(reply, FOREIGN_TEXT, FOREIGN);
    expect(reply.headers.getSetCookie()).toEqual([]);
  });

  test('Differs from a program, which sends no origin', async () => {
    const headers = { 'sec-fetch-site': undefined };
    const browser = newBrowser();
    await browser.call('POST', '/session', params, { headers });
    expect((await callMe(browser)).body.user_id).toBe(ada.userId);
  });
});

describe('The sessions of an account', () => {
  test('Cost two read and five write units to open, one of them for the session itself', async () => {
    const browser = newBrowser();
    const small = { read: 2, write: 5 };
    expect(await unitsOf(service, () => browser.signIn(ada.email))).toEqual(small);
    expect(await unitsOf(service, () => browser.call('DELETE', '/session'))).toEqual(small);
  });

  test('Number 20 at most: the next one ends the oldest', async () => {
    const browsers: TestBrowser[] = [];
    for (let n = 0; n < 21; n++) browsers.push(await signedInBrowser(service.url, ada.email));
    const statuses: number[] = [];
    for (const browser of browsers) statuses.push((await callMe(browser)).status);
    expect(statuses).toEqual([401, ...Array(20).fill(200)]);
  });

  test('Open in all browsers that sign in at the same moment', async () => {
    const browsers = await Promise.all([1, 2, 3].map(() => signedInBrowser(service.url, ada.email)));
    for (const browser of browsers) expect((await callMe(browser)).body.user_id).toBe(ada.userId);
  });

  test('Cost a request one read unit, as an API key does, however many they are', async () => {
    const person = await service.createUser('Ada'.repeat(30));
    const browser = newBrowser();
    for (let n = 0; n < 20; n++) await browser.signIn(person.email);
    const [byKey, bySession] = [
      await unitsOf(service, () => person.get('/users/me/alert_words')),
      await unitsOf(service, () => browser.call('GET', '/users/me/alert_words')),
    ];
    // One unit for the account, and one for the words.
    expect([byKey.read, bySession.read]).toEqual([2, 2]);
  });
});
