import { beforeEach, describe, expect, test } from 'vitest';
import { createSignInLink } from '#infra/local/sign-in-link.ts';
import { signInKeys } from '#shared/table/keys/sign-in.ts';
import { expectDeactivated } from '#tests/api/users/accounts.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import { signedInBrowser, TestBrowser } from '#tests/harness/browser.ts';
import type { Client, Reply } from '#tests/harness/client.ts';
import { resetKeyMailedTo } from '#tests/harness/mails.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { stillClock } from '#tests/harness/steady-service.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { expectSignedIn, expectSpent } from './browsers.ts';

const NEW_PASSWORD = 'other horse ☃ staple';
const HOUR_MS = 3600 * 1000;

const service = await startTestService({}, { clock: stillClock() });
const channelId = await service.owner.subscribe('general');

const bo = await service.createUser('Bo');
let ada: Client;
beforeEach(async () => {
  ada = await service.createUser('Ada');
});

const newBrowser = () => new TestBrowser(service.url);
const requestReset = (email: string): Promise<Reply> => sendForm(service.url, '/password_reset', { email });
async function keyFor({ email }: Client): Promise<string> {
  expect((await requestReset(email)).status).toBe(200);
  await service.settle();
  return resetKeyMailedTo(service, email);
}
const reset = (key: string, password = NEW_PASSWORD, browser = newBrowser()): Promise<Reply> =>
  browser.call('POST', `/password_reset/${key}`, { password });
const fetchKey = ({ email }: Client, password: string): Promise<Reply> =>
  sendForm(service.url, '/fetch_api_key', { username: email, password });

describe('The link of a reset mail', () => {
  test('Sets another password, and signs the browser in', async () => {
    const browser = newBrowser();
    await expectSignedIn(await reset(await keyFor(ada), NEW_PASSWORD, browser), browser, ada);
    expect((await fetchKey(ada, PASSWORD)).status).toBe(401);
    expect((await fetchKey(ada, NEW_PASSWORD)).status).toBe(200);
  });

  test('Ends the API key, the sessions of all other browsers, and their polls', async () => {
    await ada.subscribe('general');
    const browser = await signedInBrowser(service.url, ada.email);
    const waiting = (await ada.listen()).poll();
    await ada.get('/users/me');
    await reset(await keyFor(ada));
    await service.owner.send(channelId, 'secret', 'not for the old key');
    expect((await waiting).status).toBe(401);
    expect((await ada.get('/users/me')).status).toBe(401);
    expect((await browser.call('GET', '/users/me')).status).toBe(401);
  });

  test('Works once, however many requests race', async () => {
    const key = await keyFor(ada);
    const replies = await Promise.all([1, 2, 3].map((n) => reset(key, `${NEW_PASSWORD} ${n}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expectSpent(await reset(key));
  });

  test('Works for an hour', async () => {
    const [key, other] = [await keyFor(ada), await keyFor(bo)];
    service.advance(HOUR_MS - 1_000);
    expect((await reset(other)).status).toBe(200);
    service.advance(1_000);
    expectSpent(await reset(key));
    expect((await fetchKey(ada, PASSWORD)).status).toBe(200);
  });

  test('Stops working if there is a newer one', async () => {
    const [first, second] = [await keyFor(ada), await keyFor(ada)];
    expectSpent(await reset(first));
    expect((await reset(second)).status).toBe(200);
  });

  test('Works for an account that wrong passwords have locked', async () => {
    for (let n = 0; n < 6; n++) await fetchKey(ada, 'wrong');
    expect((await fetchKey(ada, PASSWORD)).status).toBe(429);
    await reset(await keyFor(ada));
    expect((await fetchKey(ada, NEW_PASSWORD)).status).toBe(200);
  });

  test('Refuses a weak password, and still works afterwards', async () => {
    const key = await keyFor(ada);
    expectRefusal(await reset(key, 'aaaaaa'), 'New password is too weak!');
    expect((await reset(key, 'x'.repeat(101))).status).toBe(400);
    expect((await fetchKey(ada, PASSWORD)).status).toBe(200);
    expect((await reset(key)).status).toBe(200);
  });

  test('Fails for an account that was deactivated meanwhile', async () => {
    const key = await keyFor(ada);
    await service.deactivate(ada);
    expectDeactivated(await reset(key));
  });

  test('Fails for a page of another site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const path = `/password_reset/${await keyFor(ada)}`;
    expect((await newBrowser().call('POST', path, { password: NEW_PASSWORD }, { headers })).status).toBe(403);
    expect((await fetchKey(ada, PASSWORD)).status).toBe(200);
  });

  const keys = ['x', 'a'.repeat(32), `${'a'.repeat(32)}9`, `${'a'.repeat(32)}99999999999`, 'a'.repeat(3_000)];
  test.each(keys)('Cannot be %s', async (key) => {
    expectSpent(await reset(key));
  });

  test('Differs for each account, and its key is stored nowhere in the table', async () => {
    const key = await keyFor(ada);
    await keyFor(bo);
    expectSpent(await reset(`${key.slice(0, 32)}${bo.userId}`));
    const before = await service.services.table.find(signInKeys.password(bo.userId));
    expect((await reset(key)).status).toBe(200);
    expect(await service.services.table.find(signInKeys.password(bo.userId))).toEqual(before);
  });
});

const LIFE_MS = 15 * 60 * 1000;

async function tokenFor({ email }: Client): Promise<string> {
  const link = new URL(await createSignInLink(service.services, service.url, email));
  expect(link.origin + link.pathname).toBe(`${service.url}/login/`);
  return link.searchParams.get('token') ?? '';
}
const use = (token: string, browser = newBrowser()) => browser.call('POST', '/session', { token });

describe('A sign-in link', () => {
  test('Signs its account in without a password', async () => {
    const browser = newBrowser();
    await expectSignedIn(await use(await tokenFor(ada), browser), browser, ada);
  });

  test('Works once, however many requests race', async () => {
    const token = await tokenFor(ada);
    const replies = await Promise.all([1, 2, 3, 4].map(() => use(token)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expectSpent(await use(token));
    expect(replies.filter(({ headers }) => headers.getSetCookie().length > 0)).toHaveLength(1);
  });

  test('Works for 15 minutes', async () => {
    const [first, second] = [await tokenFor(ada), await tokenFor(ada)];
    service.advance(LIFE_MS - 1_000);
    expect((await use(first)).status).toBe(200);
    service.advance(1_000);
    expectSpent(await use(second));
  });

  test.each(['', 'x', 'a'.repeat(43), 'a'.repeat(5_000), '\u0000'])('Fails as %j', async (token) => {
    const reply = await use(token);
    expectSpent(reply);
    expect(reply.headers.getSetCookie()).toEqual([]);
  });

  test('Fails for a deactivated account', async () => {
    const gone = await service.createUser('Gone');
    const token = await tokenFor(gone);
    await service.deactivate(gone);
    expectDeactivated(await use(token));
  });

  test('Fails for a page of another site', async () => {
    const token = await tokenFor(ada);
    const headers = { 'sec-fetch-site': 'cross-site' };
    const reply = await newBrowser().call('POST', '/session', { token }, { headers });
    expect(reply.status).toBe(403);
    expect((await use(token)).status).toBe(200);
  });

  test('Costs two read and four write units to use', async () => {
    const token = await tokenFor(ada);
    const units = await unitsOf(service, async () => expect((await use(token)).status).toBe(200));
    expect(units).toEqual({ read: 2, write: 4 });
  });
});
