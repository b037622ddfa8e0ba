import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { completeAccounts } from '#shared/api/auth/complete-accounts.ts';
import { signInKeys } from '#shared/table/keys/sign-in.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import type { Client, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { expectInvalidKey } from './accounts.ts';

const HOUR_MS = 3600 * 1000;
const NEW_PASSWORD = 'another battery staple';

const service = await startTestService();
const ada = await createEarlier('Ada');
const ben = await createEarlier('Ben');

/** An account as earlier versions kept it: the hash of the password in it, and no digest of its API key. */
async function createEarlier(fullName: string): Promise<Client> {
  const client = await service.createUser(fullName);
  const { table } = service.services;
  const password = signInKeys.password(client.userId);
  const item = await table.find(password);
  const set = { passwordHash: item?.passwordHash };
  await table.write({ kind: 'update', key: userKeys.account(client.email), set, remove: ['apiKeyDigest'] });
  await table.write({ kind: 'delete', key: password });
  return client;
}

const signIn = ({ email }: Client, password: string): Promise<Reply> =>
  sendForm(service.url, '/fetch_api_key', { username: email, password });

const accountOf = async ({ email }: Client) =>
  (await service.services.table.find(userKeys.account(email))) ?? {};

describe('An account of an earlier version', () => {
  test('Gets 429 until the sweep has run, and never the error for a wrong key', async () => {
    const reply = await ada.get('/users/me');
    const refusal = { status: 429, code: 'RATE_LIMIT_HIT', 'retry-after': 300 };
    expectRefusal(reply, 'API usage exceeded rate limit', refusal);
    expect(reply.headers.get('retry-after')).toBe('300');
  });

  test('Works with its old key as soon as a user signs in', async () => {
    const { status, body } = await signIn(ben, PASSWORD);
    expect({ status, key: body.api_key }).toEqual({ status: 200, key: ben.apiKey });
    expect((await ben.get('/users/me')).status).toBe(200);
  });

  test('Works with its old key and its password after the sweep', async () => {
    await sweep(service.services);
    expect((await ada.get('/users/me')).status).toBe(200);
    expect((await signIn(ada, PASSWORD)).body.api_key).toBe(ada.apiKey);
  });

  test('Can be found by its key alone after the sweep', async () => {
    const indexed = await startTestService();
    const gus = await indexed.createUser('Gus');
    const { table } = indexed.services;
    const post = () =>
      fetch(`${indexed.url}/api/v1/external/json?api_key=${gus.apiKey}`, { method: 'POST', body: '{}' });
    await table.write({ kind: 'delete', key: signInKeys.apiKey(hash('sha256', gus.apiKey, 'base64url')) });
    expect((await post()).status).toBe(401);
    await completeAccounts(indexed.services);
    // A key of a person needs a channel.
    expect((await post()).status).toBe(400);
  });

  test('Keeps its hash at the old place for an hour, where functions of the earlier version read it', async () => {
    await sweep(service.services);
    expect(await accountOf(ada)).toHaveProperty('passwordHash');
    service.advance(HOUR_MS + 1000);
    await sweep(service.services);
    expect(await accountOf(ada)).not.toHaveProperty('passwordHash');
    expect((await signIn(ada, PASSWORD)).status).toBe(200);
  });

  test('Stores its hash at the new place with a new password', async () => {
    const eve = await createEarlier('Eve');
    eve.apiKey = (await signIn(eve, PASSWORD)).body.api_key;
    const change = { old_password: PASSWORD, new_password: NEW_PASSWORD };
    expect((await eve.patch('/settings', change)).status).toBe(200);
    expect(await accountOf(eve)).not.toHaveProperty('passwordHash');
    expect((await signIn(eve, PASSWORD)).status).toBe(401);
    expect((await signIn(eve, NEW_PASSWORD)).status).toBe(200);
  });
});

test('The record of an account contains neither its password nor its API key in clear text', async () => {
  const account = await accountOf(service.owner);
  expect(account).not.toHaveProperty('passwordHash');
  expect(JSON.stringify(account)).not.toContain(service.owner.apiKey);
});

test('A changed secret of the deployment replaces all keys that were issued, after the sweep', async () => {
  const eve = await service.createUser('Eve');
  const { services } = service;
  const before = services.secret;
  services.secret = async () => 'another secret';
  await sweep(services);
  expectInvalidKey(await eve.get('/users/me'));
  const renewed = await service.clientOf(eve.email);
  expect(renewed.apiKey).not.toBe(eve.apiKey);
  expect((await renewed.get('/users/me')).status).toBe(200);
  services.secret = before;
  await sweep(services);
  expect((await eve.get('/users/me')).status).toBe(200);
});
