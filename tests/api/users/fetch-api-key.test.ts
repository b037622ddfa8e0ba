// The operations fetchApiKey and fetchApiKeyByJwt.
import { beforeEach, describe, expect, test } from 'vitest';
import { signInKeys } from '#shared/table/keys/sign-in.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import type { Client, Reply } from '#tests/harness/client.ts';
import { JWT_KEY, signToken } from '#tests/harness/json-web-token.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { createBot } from '../bots/bots.ts';
import { expectDeactivated } from './accounts.ts';

const WINDOW_SECONDS = 1800;
const WRONG = { status: 401, code: 'AUTHENTICATION_FAILED' };
const WRONG_TEXT = 'Your username or password is incorrect';

const service = await startTestService({ jwtKey: JWT_KEY });

const ada = await service.createUser('Ada');

const fetchKey = (username: string, password: string): Promise<Reply> =>
  sendForm(service.url, '/fetch_api_key', { username, password });

async function fail(username: string, times: number): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let n = 0; n < times; n++) replies.push(await fetchKey(username, 'wrong'));
  return replies;
}

describe('Fetching a key with the right password', () => {
  test('Returns the key, the address and the id, without credentials', async () => {
    const { status, body } = await fetchKey(ada.email, PASSWORD);
    expect(status).toBe(200);
    const account = { api_key: ada.apiKey, email: ada.email, user_id: ada.userId };
    expect(body).toEqual({ result: 'success', msg: '', ...account });
  });

  test('Works with an address in any letter case and with white space around it', async () => {
    const { body } = await fetchKey(` ${ada.email.toUpperCase()}\t`, PASSWORD);
    expect(body).toMatchObject({ email: ada.email, user_id: ada.userId });
  });

  test('Answers for a deactivated account with that error and no key', async () => {
    const gone = await service.createUser('Gone');
    await service.deactivate(gone);
    expectDeactivated(await fetchKey(gone.email, PASSWORD));
  });
});

describe('A password hash of an earlier release', () => {
  /** The hash of `correct horse battery`, by scrypt. */
  const SCRYPT_HASH =
    'scrypt$32768$8$1$ABEiM0RVZneImaq7zN3u/w==$gK8QOyXqhvJTzpau4W4gUrP9PdirZRgK8HWXzsQuu+4=';
  const stored = async ({ userId }: Client) =>
    (await service.services.table.find(signInKeys.password(userId)))?.passwordHash;

  async function createVeteran() {
    const veteran = await service.createUser('Veteran');
    const key = signInKeys.password(veteran.userId);
    await service.services.table.write({ kind: 'update', key, set: { passwordHash: SCRYPT_HASH } });
    return veteran;
  }

  test('Opens the account, and is replaced once', async () => {
    const veteran = await createVeteran();
    expect((await fetchKey(veteran.email, PASSWORD)).body.api_key).toBe(veteran.apiKey);
    const renewed = await stored(veteran);
    expect(renewed).toMatch(/^\$argon2id\$/);
    expect((await fetchKey(veteran.email, PASSWORD)).body.api_key).toBe(veteran.apiKey);
    expect(await stored(veteran)).toBe(renewed);
    expect((await fetchKey(veteran.email, 'wrong')).status).toBe(401);
  });

  test('Stays if the password is wrong, or the account deactivated', async () => {
    const veteran = await createVeteran();
    expect((await fetchKey(veteran.email, 'wrong')).status).toBe(401);
    await service.deactivate(veteran);
    expect((await fetchKey(veteran.email, PASSWORD)).body.code).toBe('USER_DEACTIVATED');
    expect(await stored(veteran)).toBe(SCRYPT_HASH);
  });

  test('Does not replace a password that changes meanwhile', async () => {
    const veteran = await createVeteran();
    const change = { old_password: PASSWORD, new_password: 'other horse ☃' };
    const [changed] = await Promise.all([
      veteran.patch('/settings', change),
      fetchKey(veteran.email, PASSWORD),
    ]);
    expect(changed?.status).toBe(200);
    expect((await fetchKey(veteran.email, PASSWORD)).status).toBe(401);
    expect((await fetchKey(veteran.email, 'other horse ☃')).status).toBe(200);
  });
});

describe('Fetching a key with a wrong password', () => {
  test.each(['', PASSWORD.toUpperCase(), ` ${PASSWORD}`, 'x'.repeat(100_000)])(
    'Fails (%#)',
    async (password) => {
      const ada = await service.createUser('Ada');
      expectRefusal(await fetchKey(ada.email, password), WRONG_TEXT, WRONG);
    },
  );

  test('Does not reveal that an account is deactivated', async () => {
    const gone = await service.createUser('Gone');
    await service.deactivate(gone);
    expectRefusal(await fetchKey(gone.email, 'wrong'), WRONG_TEXT, WRONG);
  });

  test('Gives the same answer for missing and existing users', async () => {
    const [someUser, noOne] = [await fetchKey(ada.email, 'wrong'), await fetchKey('no@example.com', 'wrong')];
    expectRefusal(noOne, WRONG_TEXT, WRONG);
    expect(someUser.body).toEqual(noOne.body);
  });

  test('Fails for an account that never had one', async () => {
    const bot = (await service.owner.post('/register')).body.cross_realm_bots[0].email;
    expectRefusal(await fetchKey(bot, ''), WRONG_TEXT, WRONG);
  });
});

describe('Too many wrong passwords', () => {
  let ada: Client;
  beforeEach(async () => {
    ada = await service.createUser('Ada');
  });

  const expectClosed = (reply: Reply, seconds: number) => {
    const retryAfter = reply.body['retry-after'];
    const refusal = { status: 429, code: 'RATE_LIMIT_HIT', 'retry-after': retryAfter };
    expectRefusal(reply, 'API usage exceeded rate limit', refusal);
    expect(reply.headers.get('retry-after')).toBe(String(retryAfter));
    expect(retryAfter).toBeGreaterThan(seconds - 10);
    expect(retryAfter).toBeLessThanOrEqual(seconds);
  };

  test('Lock the account after the fifth, for the right password too', async () => {
    for (const { status } of await fail(ada.email, 5)) expect(status).toBe(401);
    expectClosed(await fetchKey(ada.email, 'wrong'), WINDOW_SECONDS);
    expectClosed(await fetchKey(ada.email, PASSWORD), WINDOW_SECONDS);
  });

  test('Lock one account only, and its key in use continues to work', async () => {
    const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
    await fail(ada.email, 6);
    expect((await fetchKey(bo.email, PASSWORD)).body.api_key).toBe(bo.apiKey);
    expect((await ada.get('/users/me')).body.user_id).toBe(ada.userId);
  });

  test('Count for the same address in any letter case', async () => {
    await fail(ada.email, 3);
    await fail(ada.email.toUpperCase(), 2);
    expectClosed(await fetchKey(ada.email, PASSWORD), WINDOW_SECONDS);
  });

  test('Count for an address that no user has, so that the limit reveals nothing', async () => {
    const statuses = (await fail('nobody.at.all@example.com', 6)).map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('Count if they come all at once', async () => {
    const replies = await Promise.all(Array.from({ length: 9 }, () => fetchKey(ada.email, 'wrong')));
    const counts = [401, 429].map((wanted) => replies.filter(({ status }) => status === wanted).length);
    expect(counts).toEqual([5, 4]);
  });

  test('Reset with the right one', async () => {
    for (let round = 0; round < 3; round++) {
      await fail(ada.email, 4);
      expect((await fetchKey(ada.email, PASSWORD)).body.api_key).toBe(ada.apiKey);
    }
  });

  test('Reset half an hour after the first, and attempts meanwhile do not prolong that', async () => {
    await fail(ada.email, 5);
    service.advance(1000 * 1000);
    expectClosed(await fetchKey(ada.email, PASSWORD), WINDOW_SECONDS - 1000);
    service.advance((WINDOW_SECONDS - 1000 + 1) * 1000);
    for (const { status } of await fail(ada.email, 5)) expect(status).toBe(401);
    expectClosed(await fetchKey(ada.email, PASSWORD), WINDOW_SECONDS);
  });
});

describe('Parameters of fetching a key', () => {
  test.each(['', 'ada', `${'a'.repeat(5000)}@example.com`])(
    'Refuse the user name %#, which is no address',
    async (username) => {
      expectRefusal(await fetchKey(username, 'x'), 'Enter a valid email address.');
    },
  );
});

const BAD = 'Bad JSON web token';

const fetchByToken = (form: Record<string, string>) => sendForm(service.url, '/jwt/fetch_api_key', form);
const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const nowSeconds = () => Math.floor(service.services.clock.nowMs() / 1000);

describe('A JSON web token', () => {
  test('Gives the API key of the account that it names', async () => {
    const claims = { email: ada.email.toUpperCase(), exp: nowSeconds() + 60, nbf: nowSeconds() - 1 };
    const { status, body } = await fetchByToken({ token: signToken(claims) });
    expect(status).toBe(200);
    expect(body).toEqual({ result: 'success', msg: '', api_key: ada.apiKey, email: ada.email });
  });

  test('Gives a description of the user too if the caller wants one', async () => {
    const { body } = await fetchByToken({ token: signToken({ email: ada.email }), include_profile: 'true' });
    expect(body.user).toMatchObject({ user_id: ada.userId, full_name: 'Ada', delivery_email: ada.email });
  });

  test.each([
    ['of another key', () => signToken({ email: ada.email }, { key: 'another key' })],
    ['of another algorithm', () => signToken({ email: ada.email }, { alg: 'none' })],
    ['that has ended', () => signToken({ email: ada.email, exp: nowSeconds() })],
    ['that has not begun', () => signToken({ email: ada.email, nbf: nowSeconds() + 60 })],
    ['with an end that is no number', () => signToken({ email: ada.email, exp: 'never' })],
    ['without a signature', () => signToken({ email: ada.email }).replace(/[^.]+$/, '')],
    ['with a changed claim', () => signToken({}).replace(/\..+\./, `.${encode({ email: ada.email })}.`)],
    ['with a fourth part', () => `${signToken({ email: ada.email })}.x`],
    ['that holds a list', () => signToken([])],
    ['that is a word', () => 'token'],
  ])('Gives no key if it is one %s', async (_name, make) => {
    expectRefusal(await fetchByToken({ token: make() }), BAD);
  });

  test('Must be there, and name an address', async () => {
    expectRefusal(await fetchByToken({}), 'No JSON web token passed in request');
    expectRefusal(await fetchByToken({ token: '' }), 'No JSON web token passed in request');
    const unnamed = 'No email specified in JSON web token claims';
    expectRefusal(await fetchByToken({ token: signToken({ sub: 'ada' }) }), unnamed);
    expectRefusal(await fetchByToken({ token: signToken({ email: 'ada' }) }), 'Enter a valid email address.');
    const long = { token: 'x'.repeat(4001) };
    expectRefusal(await fetchByToken(long), 'token is too long (limit: 4000 characters)');
  });

  test('Opens no account that does not exist, was deactivated or is a bot’s', async () => {
    const gone = await service.createUser('Gone');
    await service.deactivate(gone);
    const bot = await createBot(ada);
    for (const email of ['no@example.com', bot.email])
      expectRefusal(await fetchByToken({ token: signToken({ email }) }), WRONG_TEXT, WRONG);
    expectDeactivated(await fetchByToken({ token: signToken({ email: gone.email }) }));
  });
});

test('A service without a configured key refuses every token', async () => {
  const without = await startTestService();
  const disabled = 'JWT authentication is not enabled for this organization';
  const forms: Record<string, string>[] = [{}, { token: signToken({ email: without.owner.email }) }];
  for (const form of forms) expectRefusal(await sendForm(without.url, '/jwt/fetch_api_key', form), disabled);
});
