import { expect, test } from 'vitest';
import { send } from '#tests/harness/anonymous.ts';
import { mailsTo } from '#tests/harness/mails.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';

const OF_ACCOUNT = 12;
const OF_NETWORK = 5;
const HOME = '198.51.100.7';
const DAY_MS = 24 * 3600 * 1000;

const limit = { limit: OF_ACCOUNT, windowSeconds: 1_800 };
const service = await startTestService({ signInFailuresOfAccount: limit }, { trustedProxies: 1 });

const post = (path: string, form: Record<string, string>, from: string) =>
  send(service.url, path, {
    method: 'POST',
    headers: { 'x-forwarded-for': from },
    body: new URLSearchParams(form),
  });

const signIn = async (username: string, password: string, from: string): Promise<number> =>
  (await post('/fetch_api_key', { username, password }, from)).status;

/** Strangers of some networks who guess until each is refused. */
async function guess(username: string, networks: number): Promise<number> {
  let checked = 0;
  for (let network = 1; network <= networks; network++)
    while ((await signIn(username, 'wrong', `203.0.113.${network}`)) === 401) checked++;
  return checked;
}

test('Strangers elsewhere do not block the sign-in of an account, and their guesses are limited', async () => {
  const ada = await service.createUser('Ada');
  expect(await signIn(ada.email, PASSWORD, HOME)).toBe(200);
  expect(await guess(ada.email, 1)).toBe(OF_NETWORK);
  expect(await signIn(ada.email, PASSWORD, '192.0.2.1')).toBe(200);
  expect(await guess(ada.email, 20)).toBeLessThanOrEqual(OF_ACCOUNT);
  expect(await signIn(ada.email, PASSWORD, HOME)).toBe(200);
  expect(await signIn(ada.email, PASSWORD, '192.0.2.99')).toBe(429);
});

test('Guesses from the addresses of one IPv6 network count together', async () => {
  const bo = await service.createUser('Bo');
  for (let count = 1; count <= OF_NETWORK; count++)
    expect(await signIn(bo.email, 'wrong', `2001:db8:1:1::${count}`)).toBe(401);
  expect(await signIn(bo.email, PASSWORD, '2001:db8:1:1::9')).toBe(429);
  expect(await signIn(bo.email, PASSWORD, '2001:db8:1:2::1')).toBe(200);
});

test('An address that a client claims before that of the proxy does not count', async () => {
  const cy = await service.createUser('Cy');
  for (let count = 1; count <= OF_NETWORK; count++)
    expect(await signIn(cy.email, 'wrong', `192.0.2.${count}, 198.51.100.20`)).toBe(401);
  expect(await signIn(cy.email, PASSWORD, '192.0.2.77, 198.51.100.20')).toBe(429);
});

test('A network from which an account signed in long ago counts as unknown', async () => {
  const di = await service.createUser('Di');
  expect(await signIn(di.email, PASSWORD, HOME)).toBe(200);
  service.advance(91 * DAY_MS);
  await guess(di.email, 20);
  expect(await signIn(di.email, PASSWORD, HOME)).toBe(429);
});

test('Strangers elsewhere do not block the password reset of an account, and its mails are limited', async () => {
  const em = await service.createUser('Em');
  const reset = async (from: string) => (await post('/password_reset', { email: em.email }, from)).status;
  expect(await signIn(em.email, PASSWORD, HOME)).toBe(200);
  for (let count = 1; count <= 10; count++)
    for (let n = 0; n < OF_NETWORK + 1; n++) await reset(`203.0.113.${count}`);
  await service.settle();
  expect(mailsTo(service, em.email).length).toBe(20);
  expect(await reset('192.0.2.99')).toBe(429);
  expect(await reset(HOME)).toBe(200);
});
