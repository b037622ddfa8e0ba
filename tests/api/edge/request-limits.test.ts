import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { defaultConfig } from '#shared/runtime/config.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { Throttled } from '#shared/table/table.ts';
import { basic, send, sendForm, sendTo } from '#tests/harness/anonymous.ts';
import type { Reply } from '#tests/harness/client.ts';
import { withCalls } from '#tests/harness/log.ts';
import { takeLogged } from '#tests/harness/logged-lines.ts';
import { startTestService } from '#tests/harness/service.ts';
import { serve } from '#tests/infra/local/gateway-fixture.ts';

/** The limits of production. */
const { user, address } = defaultConfig.requestLimits;
/** A function shares its count in portions of this size. */
const PORTION = user.requests / 20;
const WINDOW_MS = user.windowSeconds * 1000;

const service = await startTestService({ requestLimits: defaultConfig.requestLimits });
const ada = await service.createUser('Ada');
await service.settle();
/** A window begins with this, and all its requests end long before it does. */
const beginWindow = () => service.advance(WINDOW_MS - (service.services.clock.nowMs() % WINDOW_MS));

/** Further instances of every function, which share only the table with the first ones. */
async function startInstances(services: Services = service.services): Promise<string> {
  const { port } = await serve(endpoints, { services });
  return `http://127.0.0.1:${port}`;
}

const asAda = { headers: { authorization: ada.authorization } };
const callAt = (url: string, path = `/users/${ada.userId}`): Promise<Reply> => send(url, path, asAda);
const call = (path = `/users/${ada.userId}`): Promise<Reply> => callAt(service.url, path);
const settings = (): Promise<Reply> => send(service.url, '/server_settings');
const quotaOf = ({ headers }: Reply): number[] =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN));

async function repeat(times: number, act: () => Promise<Reply>): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < times; n++) statuses.push((await act()).status);
  return statuses;
}
const answered = (statuses: number[]): number => statuses.filter((status) => status === 200).length;

/** The cost of so many requests that read two items each: the account of the caller and a user. */
async function costOf(requests: number): Promise<{ read: number; write: number; statuses: number[] }> {
  service.meter.reset();
  const statuses = await repeat(requests, call);
  return { read: service.meter.read, write: service.meter.write, statuses };
}

describe('Requests below the limit', () => {
  beforeEach(beginWindow);

  test('Cost nothing to count for the few requests of an idle client', async () => {
    expect(await costOf(PORTION - 1)).toMatchObject({ read: 2 * (PORTION - 1), write: 0 });
  });

  test('Return with every answer the remaining requests and the time of the reset', async () => {
    const nowSeconds = service.services.clock.nowMs() / 1000;
    for (const left of [199, 198, 197]) {
      const [limit, remaining, reset] = quotaOf(await call());
      expect([limit, remaining]).toEqual([200, left]);
      expect((reset ?? 0) % 60).toBe(0);
      expect(Math.abs((reset ?? 0) - nowSeconds - 60)).toBeLessThan(2);
    }
  });

  test('Return the same headers with errors', async () => {
    await call();
    const wrong = await send(service.url, '/users/1000000', asAda);
    expect([wrong.status, quotaOf(wrong)[0]]).toEqual([400, 200]);
  });
});

describe('Pictures and files, which a page of messages requests by the dozen,', () => {
  beforeEach(beginWindow);

  test.each([
    '/user_avatars/none.png',
    '/user_uploads/temporary/none/none.txt',
    '/user_uploads/thumbnail/1/none/100x100.webp',
    '/user_uploads/1/none/none.txt',
    '/avatar/1000000',
    '/avatar/1000000/medium',
    '/api/v1/realm/icon',
    '/api/v1/realm/logo',
  ])('Count towards a larger limit of their own: %s', async (path) => {
    const limits = defaultConfig.requestLimits;
    expect(quotaOf(await sendTo(`${service.url}${path}`, asAda))[0]).toBe(limits.light.requests);
    expect(quotaOf(await call()).slice(0, 2)).toEqual([user.requests, user.requests - 1]);
  });
});

/** All within one window, which ends with the last test. */
describe('An account above its limit', () => {
  let used: Awaited<ReturnType<typeof costOf>>;
  beforeAll(async () => {
    beginWindow();
    used = await costOf(user.requests);
  });

  test('Costs a tenth of a write unit for each request, and never a read', () => {
    const { statuses, ...cost } = used;
    expect(answered(statuses)).toBe(user.requests);
    expect(cost).toEqual({ read: 2 * user.requests, write: user.requests / PORTION });
  });

  test('Counts in all functions together: each learns the others’ count when it writes its own', async () => {
    const others = await repeat(PORTION + 5, () => call('/users/me/subscriptions'));
    expect(answered(others)).toBe(PORTION - 1);
    expect(others.slice(PORTION - 1).every((status) => status === 429)).toBe(true);
  });

  test('Changes nothing', async () => {
    const note = { type: 'direct', to: [ada.userId], content: 'still here?' };
    const sendNote = () => ada.post('/messages', note);
    expect(answered(await repeat(PORTION, sendNote))).toBe(PORTION - 1);
    const { table } = service.services;
    const before = await readCounter(table);
    expect((await sendNote()).status).toBe(429);
    expect(await readCounter(table)).toBe(before);
  });

  test('Takes nothing from others', async () => {
    expect((await call()).status).toBe(429);
    expect(quotaOf(await service.owner.get('/users/me')).slice(0, 2)).toEqual([200, 199]);
  });

  test('Costs nothing', async () => {
    expect(await costOf(50)).toMatchObject({ read: 50, write: 0 });
  });

  test('Gets 200 answers a minute, and then 429 until the minute ends', async () => {
    const { status, headers, body } = await call();
    const { 'retry-after': seconds, ...rest } = body;
    expect(status).toBe(429);
    expect(rest).toEqual({ result: 'error', msg: 'API usage exceeded rate limit', code: 'RATE_LIMIT_HIT' });
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(headers.get('retry-after')).toBe(String(seconds));
    expect(quotaOf({ headers } as Reply).slice(0, 2)).toEqual([200, 0]);

    service.advance(seconds * 1000);
    const again = await call();
    expect([again.status, quotaOf(again)[1]]).toEqual([200, 199]);
  });
});

describe('A limit across many functions', () => {
  beforeEach(beginWindow);

  test('Never refuses requests below it, and lets less than a twentieth more through per instance', async () => {
    const urls = [service.url, await startInstances(), await startInstances()];
    const paths = [`/users/${ada.userId}`, '/streams', '/users'];
    const instances = urls.flatMap((url) => paths.map((path) => [url, path] as const));
    const statuses: number[] = [];
    for (let round = 0; round < 40; round++)
      for (const [url, path] of instances) statuses.push((await callAt(url, path)).status);
    expect(statuses.slice(0, user.requests).every((status) => status === 200)).toBe(true);
    expect(answered(statuses)).toBeLessThanOrEqual(user.requests + instances.length * (PORTION - 1));
    expect(statuses.slice(-instances.length).every((status) => status === 429)).toBe(true);
  });

  test('Holds for simultaneous requests', async () => {
    const replies = await Promise.all(Array.from({ length: user.requests + 30 }, () => call()));
    expect(answered(replies.map(({ status }) => status))).toBe(user.requests);
  });

  test('Applies to each function alone while the table does not answer', async () => {
    const increment = async (): Promise<number> => {
      throw new Throttled('As the test wants it');
    };
    const url = await startInstances(withCalls(service.services, () => ({ increment })));
    takeLogged();
    const statuses = await repeat(user.requests + 1, () => callAt(url));
    expect([answered(statuses), statuses.at(-1)]).toEqual([user.requests, 429]);
    const warning = { level: 'warn', message: 'Requests could not be counted' };
    expect(takeLogged()).toContainEqual(expect.objectContaining(warning));
  });
});

describe('An address without valid credentials', () => {
  beforeEach(beginWindow);

  const wrongKey = () =>
    send(service.url, '/users/me', { headers: { authorization: basic(ada.email, 'x'.repeat(32)) } });

  test('Gets 100 answers a minute', async () => {
    const first = await settings();
    expect(quotaOf(first).slice(0, 2)).toEqual([100, 99]);
    expect(answered(await repeat(address.requests - 1, settings))).toBe(address.requests - 1);
    const { status, body, headers } = await settings();
    expect([status, body.code]).toEqual([429, 'RATE_LIMIT_HIT']);
    expect(headers.get('retry-after')).toBe(String(body['retry-after']));
    service.advance(Math.ceil(body['retry-after'] * 1000));
    expect((await settings()).status).toBe(200);
  });

  test('Pays for wrong or missing credentials, and its limit does not affect accounts', async () => {
    expect(quotaOf(await wrongKey()).slice(0, 2)).toEqual([100, 99]);
    expect(quotaOf(await send(service.url, '/users/me')).slice(0, 2)).toEqual([100, 98]);
    const statuses = await repeat(address.requests - 1, wrongKey);
    expect(statuses.filter((status) => status === 401)).toHaveLength(address.requests - 2);
    expect(statuses.at(-1)).toBe(429);
    expect(quotaOf(await call()).slice(0, 2), 'who has an account is left alone').toEqual([200, 199]);
  });

  test('Does not pay for calls of accounts', async () => {
    await repeat(20, call);
    expect(quotaOf(await settings()).slice(0, 2)).toEqual([100, 99]);
  });

  test('Meets the limit of wrong passwords as before, long before its own', async () => {
    const bo = await service.createUser('Bo');
    const signIn = () => sendForm(service.url, '/fetch_api_key', { username: bo.email, password: 'wrong' });
    expect(await repeat(6, signIn)).toEqual([401, 401, 401, 401, 401, 429]);
  });
});
