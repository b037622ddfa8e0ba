import { describe, expect, test } from 'vitest';
import { createSignInLink } from '#infra/local/sign-in-link.ts';
import { TestBrowser } from '#tests/harness/browser.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { stillClock } from '#tests/harness/steady-service.ts';

const SPENT = 'This link was used, or has expired.';
const LIFE_MS = 15 * 60 * 1000;

const service = await startTestService({}, { clock: stillClock() });

const newBrowser = () => new TestBrowser(service.url);
async function tokenFor({ email }: Client): Promise<string> {
  const link = new URL(await createSignInLink(service.services, service.url, email));
  expect(link.origin + link.pathname).toBe(`${service.url}/login/`);
  return link.searchParams.get('token') ?? '';
}
const use = (token: string, browser = newBrowser()) => browser.call('POST', '/session', { token });

describe('A sign-in link', () => {
  test('Signs its account in without a password', async () => {
    const ada = await service.createUser('Ada');
    const browser = newBrowser();
    const { status, body } = await use(await tokenFor(ada), browser);
    expect(status).toBe(200);
    expect(body).toEqual({ result: 'success', msg: '', email: ada.email, user_id: ada.userId });
    expect((await browser.call('GET', '/users/me')).body.user_id).toBe(ada.userId);
  });

  test('Works once, however many requests race', async () => {
    const ada = await service.createUser('Ada');
    const token = await tokenFor(ada);
    const replies = await Promise.all([1, 2, 3, 4].map(() => use(token)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expectRefusal(await use(token), SPENT);
    expect(replies.filter(({ headers }) => headers.getSetCookie().length > 0)).toHaveLength(1);
  });

  test('Works for 15 minutes', async () => {
    const ada = await service.createUser('Ada');
    const [first, second] = [await tokenFor(ada), await tokenFor(ada)];
    service.advance(LIFE_MS - 1_000);
    expect((await use(first)).status).toBe(200);
    service.advance(1_000);
    expectRefusal(await use(second), SPENT);
  });

  test.each(['', 'x', 'a'.repeat(43), 'a'.repeat(5_000), '\u0000'])('Fails as %j', async (token) => {
    const reply = await use(token);
    expectRefusal(reply, SPENT);
    expect(reply.headers.getSetCookie()).toEqual([]);
  });

  test('Fails for a deactivated account', async () => {
    const gone = await service.createUser('Gone');
    const token = await tokenFor(gone);
    await service.deactivate(gone);
    expectRefusal(await use(token), 'Account is deactivated', { status: 401, code: 'USER_DEACTIVATED' });
  });

  test('Fails for a page of another site', async () => {
    const ada = await service.createUser('Ada');
    const token = await tokenFor(ada);
    const headers = { 'sec-fetch-site': 'cross-site' };
    const reply = await newBrowser().call('POST', '/session', { token }, { headers });
    expect(reply.status).toBe(403);
    expect((await use(token)).status).toBe(200);
  });

  test('Costs two read and four write units to use', async () => {
    const ada = await service.createUser('Ada');
    const token = await tokenFor(ada);
    service.meter.reset();
    expect((await use(token)).status).toBe(200);
    expect(service.meter).toMatchObject({ read: 2, write: 4 });
  });
});
