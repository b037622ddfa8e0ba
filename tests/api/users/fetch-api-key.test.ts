import { describe, expect, test } from 'vitest';
import { signInKeys } from '#shared/table/keys/sign-in.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import type { Client, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';

const WINDOW_SECONDS = 1800;
const WRONG = { status: 401, code: 'AUTHENTICATION_FAILED' };
const WRONG_TEXT = 'Your username or password is incorrect';

const service = await startTestService();

const fetchKey = (username: string, password: string): Promise<Reply> =>
  sendForm(service.url, '/fetch_api_key', { username, password });

async function fail(username: string, times: number): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let n = 0; n < times; n++) replies.push(await fetchKey(username, 'wrong'));
  return replies;
}

describe('Fetching a key with the right password', () => {
  test('Returns the key, the address and the id, without credentials', async () => {
    const ada = await service.createUser('Ada');
    const { status, body } = await fetchKey(ada.email, PASSWORD);
    expect(status).toBe(200);
    expect(body).toEqual({
      result: 'success',
      msg: '',
      api_key: ada.apiKey,
      email: ada.email,
      user_id: ada.userId,
    });
  });

  test('Works with an address in any letter case and with white space around it', async () => {
    const ada = await service.createUser('Ada');
    const { body } = await fetchKey(` ${ada.email.toUpperCase()}\t`, PASSWORD);
    expect(body).toMatchObject({ email: ada.email, user_id: ada.userId });
  });

  test('Answers for a deactivated account with that error and no key', async () => {
    const gone = await service.createUser('Gone');
    await service.deactivate(gone);
    expectRefusal(await fetchKey(gone.email, PASSWORD), 'Account is deactivated', {
      status: 401,
      code: 'USER_DEACTIVATED',
    });
  });
});

describe('A password hash of an earlier release', () => {
  /** The hash of `correct horse battery`, by scrypt. */
  const SCRYPT_HASH =
    'scrypt$32768$8$1$ABEiM0RVZneImaq7zN3u/w==$gK8QOyXqhvJTzpau4W4gUrP9PdirZRgK8HWXzsQuu+4=';
  const stored = async ({ userId }: Client) =>
    (await service.services.table.find(signInKeys.password(userId)))?.passwordHash;

  async function createVeteran() {
    const one = await service.createUser('Veteran');
    const key = signInKeys.password(one.userId);
    await service.services.table.write({ kind: 'update', key, set: { passwordHash: SCRYPT_HASH } });
    return one;
  }

  test('Opens the account, and is replaced once', async () => {
    const one = await createVeteran();
    expect((await fetchKey(one.email, PASSWORD)).body.api_key).toBe(one.apiKey);
    const renewed = await stored(one);
    expect(renewed).toMatch(/^\$argon2id\$/);
    expect((await fetchKey(one.email, PASSWORD)).body.api_key).toBe(one.apiKey);
    expect(await stored(one)).toBe(renewed);
    expect((await fetchKey(one.email, 'wrong')).status).toBe(401);
  });

  test('Stays if the password is wrong, or the account deactivated', async () => {
    const one = await createVeteran();
    expect((await fetchKey(one.email, 'wrong')).status).toBe(401);
    await service.deactivate(one);
    expect((await fetchKey(one.email, PASSWORD)).body.code).toBe('USER_DEACTIVATED');
    expect(await stored(one)).toBe(SCRYPT_HASH);
  });

  test('Does not replace a password that changes meanwhile', async () => {
    const one = await createVeteran();
    const change = { old_password: PASSWORD, new_password: 'other horse ☃' };
    const [changed] = await Promise.all([one.patch('/settings', change), fetchKey(one.email, PASSWORD)]);
    expect(changed?.status).toBe(200);
    expect((await fetchKey(one.email, PASSWORD)).status).toBe(401);
    expect((await fetchKey(one.email, 'other horse ☃')).status).toBe(200);
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
    const ada = await service.createUser('Ada');
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
  const expectClosed = (reply: Reply, seconds: number) => {
    const retryAfter = reply.body['retry-after'];
    expectRefusal(reply, 'API usage exceeded rate limit', {
      status: 429,
      code: 'RATE_LIMIT_HIT',
      'retry-after': retryAfter,
    });
    expect(reply.headers.get('retry-after')).toBe(String(retryAfter));
    expect(retryAfter).toBeGreaterThan(seconds - 10);
    expect(retryAfter).toBeLessThanOrEqual(seconds);
  };

  test('Lock the account after the fifth, for the right password too', async () => {
    const ada = await service.createUser('Ada');
    for (const { status } of await fail(ada.email, 5)) expect(status).toBe(401);
    expectClosed(await fetchKey(ada.email, 'wrong'), WINDOW_SECONDS);
    expectClosed(await fetchKey(ada.email, PASSWORD), WINDOW_SECONDS);
  });

  test('Lock one account only, and its key in use continues to work', async () => {
    const [ada, bo] = [await service.createUser('Ada'), await service.createUser('Bo')];
    await fail(ada.email, 6);
    expect((await fetchKey(bo.email, PASSWORD)).body.api_key).toBe(bo.apiKey);
    expect((await ada.get('/users/me')).body.user_id).toBe(ada.userId);
  });

  test('Count for the same address in any letter case', async () => {
    const ada = await service.createUser('Ada');
    await fail(ada.email, 3);
    await fail(ada.email.toUpperCase(), 2);
    expectClosed(await fetchKey(ada.email, PASSWORD), WINDOW_SECONDS);
  });

  test('Count for an address that no user has, so that the limit reveals nothing', async () => {
    expect((await fail('nobody.at.all@example.com', 6)).map(({ status }) => status)).toEqual([
      401, 401, 401, 401, 401, 429,
    ]);
  });

  test('Count if they come all at once', async () => {
    const ada = await service.createUser('Ada');
    const replies = await Promise.all(Array.from({ length: 9 }, () => fetchKey(ada.email, 'wrong')));
    const counts = [401, 429].map((wanted) => replies.filter(({ status }) => status === wanted).length);
    expect(counts).toEqual([5, 4]);
  });

  test('Reset with the right one', async () => {
    const ada = await service.createUser('Ada');
    for (let round = 0; round < 3; round++) {
      await fail(ada.email, 4);
      expect((await fetchKey(ada.email, PASSWORD)).body.api_key).toBe(ada.apiKey);
    }
  });

  test('Reset half an hour after the first, and attempts meanwhile do not prolong that', async () => {
    const ada = await service.createUser('Ada');
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
