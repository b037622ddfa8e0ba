import { describe, expect, test } from 'vitest';
import { createSignInLink } from '#infra/local/sign-in-link.ts';
import { expectDeactivated } from '#tests/api/users/accounts.ts';
import { TestBrowser } from '#tests/harness/browser.ts';
import type { Client } from '#tests/harness/client.ts';
import { startTestService } from '#tests/harness/service.ts';
import { stillClock } from '#tests/harness/steady-service.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { expectSignedIn, expectSpent } from './browsers.ts';

const LIFE_MS = 15 * 60 * 1000;

const service = await startTestService({}, { clock: stillClock() });

const ada = await service.createUser('Ada');

const newBrowser = () => new TestBrowser(service.url);
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
