import { beforeEach, describe, expect, test } from 'vitest';
import { defaultConfig } from '#shared/runtime/config.ts';
import { basic, sendTo } from '#tests/harness/anonymous.ts';
import type { Reply } from '#tests/harness/client.ts';
import type { Question } from '#tests/harness/exchange.ts';
import { startTestService } from '#tests/harness/service.ts';

/** A fifth of the limit in production, so that tests reach it soon. */
const light = { requests: 240, windowSeconds: 60 };
/** A function shares its count of one type of request in portions of this size. */
const PORTION = light.requests / 20;
const WINDOW_MS = light.windowSeconds * 1000;

const service = await startTestService({ requestLimits: { ...defaultConfig.requestLimits, light } });
beforeEach(() => service.advance(WINDOW_MS - (service.services.clock.nowMs() % WINDOW_MS)));

const fetchPath = (path: string, question?: Question) => sendTo(service.url + path, question);

/** Sends twenty requests at once until there are so many. */
async function repeat(path: string, times: number, question?: Question): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < times) {
    const replies = await Promise.all(Array.from({ length: 20 }, () => fetchPath(path, question)));
    statuses.push(...replies.map(({ status }) => status));
  }
  return statuses;
}

const limitOf = ({ headers }: Reply): number => Number(headers.get('x-ratelimit-limit'));
const restOf = ({ headers }: Reply): number => Number(headers.get('x-ratelimit-remaining'));

const PATHS = [
  '/user_avatars/00000000-0000-0000-0000-000000000000.png',
  '/user_uploads/2/ab/nothing.txt',
  '/user_uploads/temporary/nothing/nothing.txt',
  '/user_uploads/thumbnail/2/ab/nothing.png/840x560.webp',
  '/realm/icon',
  '/realm/logo',
  '/api/v1/nothing',
  '/.env',
];

describe('A caller without an account', () => {
  test.each(PATHS)('Gets at %s the remaining limit of its address', async (path) => {
    const first = await fetchPath(path);
    expect([limitOf(first), restOf(first)]).toEqual([light.requests, light.requests - 1]);
    expect(restOf(await fetchPath(path))).toBe(light.requests - 2);
  });

  const limited = `Gets ${light.requests} answers a minute at %s, and then 429`;
  test.each([PATHS[0] ?? '', '/api/v1/nothing'])(limited, async (path) => {
    const statuses = await repeat(path, light.requests + 40);
    expect(statuses.filter((status) => status === 404)).toHaveLength(light.requests);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
    const { status, headers, body } = await fetchPath(path);
    expect([status, body.code]).toEqual([429, 'RATE_LIMIT_HIT']);
    expect(headers.get('retry-after')).toBe(String(body['retry-after']));
  });

  test('Counts in all functions together', async () => {
    await repeat('/api/v1/nothing', light.requests);
    expect(await repeat('/realm/icon', PORTION)).toContain(429);
  });

  test('Costs one write for each twentieth of the limit, and nothing above the limit', async () => {
    service.meter.reset();
    await repeat('/api/v1/nothing', light.requests);
    expect({ ...service.meter }).toMatchObject({ read: 0, write: light.requests / PORTION });
    await fetchPath('/api/v1/nothing');
    service.meter.reset();
    await repeat('/api/v1/nothing', 100);
    expect({ ...service.meter }).toMatchObject({ read: 0, write: 0 });
  });

  test('May call a path wrongly or send preflight requests up to that limit', async () => {
    for (const method of ['DELETE', 'OPTIONS'])
      expect(limitOf(await fetchPath('/api/v1/server_settings', { method })), method).toBe(light.requests);
  });

  test('Takes nothing from accounts, even above its limit', async () => {
    await repeat('/api/v1/nothing', light.requests + 20);
    expect((await service.owner.get('/users/me')).status).toBe(200);
    const asOwner = { headers: { authorization: service.owner.authorization } };
    const reply = await fetchPath('/user_uploads/2/ab/nothing.txt', asOwner);
    expect([reply.status, restOf(reply)]).toEqual([404, light.requests - 1]);
  });

  test('Counts for the smaller limit if it names an account with wrong credentials', async () => {
    const asNobody = { headers: { authorization: basic('nobody@example.com', 'x'.repeat(32)) } };
    const { requests } = defaultConfig.requestLimits.address;
    expect(limitOf(await fetchPath('/user_uploads/2/ab/nothing.txt', asNobody))).toBe(requests);
  });
});
