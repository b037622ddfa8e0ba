import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Admission, type AdmissionLimits, POLLS, REQUESTS } from '#infra/local/gateway/admission.ts';
import type { Gateway } from '#infra/local/gateway/gateway.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { call, echo, serve } from './gateway-fixture.ts';

const MEBIBYTE = 1024 * 1024;
const LIMITS: AdmissionLimits = { places: 2, waiting: 3, waitingBytes: 1_000, waitMs: 60_000 };

/** Requests under way stay there until the test lets them go on. */
let underWay: (() => void)[];
let arrived: () => void;
let gateway: Gateway;

const held = (endpoint: AnyEndpoint): AnyEndpoint => ({
  ...endpoint,
  handle: async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    underWay.push(resolve);
    arrived();
    await promise;
    return {};
  },
});
const registry = {
  hold: held(echo('GET /held')),
  holdBody: held(echo('POST /held')),
  wait: { ...held(echo('GET /events')), holdsPolls: true as const },
  answer: echo('GET /answer'),
};

const get = (path: string, init?: RequestInit) => call(gateway, path, init);
const serveWith = async (requests: AdmissionLimits, polls: AdmissionLimits = LIMITS): Promise<void> => {
  gateway = await serve(registry, { admission: { requests, polls } });
};

beforeEach(() => {
  underWay = [];
  arrived = () => {};
});

async function untilUnderWay(count: number): Promise<void> {
  while (underWay.length < count)
    await new Promise<void>((resolve) => {
      arrived = resolve;
    });
}

/** Lets everything continue, and later requests too. */
async function release(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await untilUnderWay(1);
    underWay.shift()?.();
  }
}

const statusesOf = (replies: Awaited<ReturnType<typeof call>>[]): number[] =>
  replies.map(({ status }) => status).sort();

describe('Simultaneous requests', () => {
  test('Get answered as many at a time as there are places, others wait, and the rest gets 429', async () => {
    await serveWith(LIMITS);
    const refused: Awaited<ReturnType<typeof call>>[] = [];
    const calls = Array.from({ length: 8 }, () =>
      get('/held').then((reply) => {
        if (reply.status === 429) refused.push(reply);
        return reply;
      }),
    );
    await untilUnderWay(2);
    while (refused.length < 3) await turn();
    expect(underWay).toHaveLength(2);
    await release(5);
    expect(statusesOf(await Promise.all(calls))).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    for (const { headers, body } of refused) {
      expect(body).toMatchObject({ result: 'error', code: 'RATE_LIMIT_HIT' });
      expect(body['retry-after']).toBeGreaterThanOrEqual(1);
      expect(body['retry-after']).toBeLessThanOrEqual(2);
      expect(headers.get('retry-after')).toBe(String(body['retry-after']));
    }
  });

  test('Return spread over time if they were refused', async () => {
    await serveWith({ ...LIMITS, places: 0, waiting: 0 });
    const replies = await Promise.all(Array.from({ length: 10 }, () => get('/answer')));
    for (const { body } of replies) {
      expect(body['retry-after']).toBeGreaterThanOrEqual(1);
      expect(body['retry-after']).toBeLessThanOrEqual(2);
    }
    expect(new Set(replies.map(({ body }) => body['retry-after'])).size).toBeGreaterThan(5);
  });

  test('Get answered all if there are enough places', async () => {
    await serveWith(LIMITS);
    const replies = await Promise.all(Array.from({ length: 5 }, () => get('/answer')));
    expect(statusesOf(replies)).toEqual([200, 200, 200, 200, 200]);
  });

  test('Get 429 after a long wait once a place is free', async () => {
    const admission = new Admission({ ...LIMITS, places: 1, waitMs: -1 });
    const leave = await admission.enter(0);
    const waiting = admission.enter(0);
    leave?.();
    expect(await waiting).toBeUndefined();
    expect(await admission.enter(0), 'the place is free again').toBeDefined();
  });

  test('Wait with bodies of a bounded size', async () => {
    await serveWith(LIMITS);
    const first = [get('/held'), get('/held')];
    await untilUnderWay(2);
    const post = (bytes: number) => get('/held', { method: 'POST', body: 'a'.repeat(bytes) });
    expect((await post(1_001)).status).toBe(429);
    const waiting = post(1_000);
    await release(3);
    expect(statusesOf(await Promise.all([...first, waiting]))).toEqual([200, 200, 200]);
  });
});

describe('The local service', () => {
  /** How many of so many that come at once find a place, and how many are refused at once. */
  const countOf = async (admission: Admission, count: number, bytes = 0) => {
    const outcomes = { admitted: 0, refused: 0 };
    for (let n = 0; n < count; n++)
      void admission.enter(bytes).then((leave) => outcomes[leave ? 'admitted' : 'refused']++);
    await turn();
    return outcomes;
  };

  test('Processes 32 requests at once, lets a thousand wait, and refuses the next one', async () => {
    const admission = new Admission(REQUESTS);
    expect(await countOf(admission, 32 + 1_000)).toEqual({ admitted: 32, refused: 0 });
    expect(await countOf(admission, 1)).toEqual({ admitted: 0, refused: 1 });
  });

  test('Holds two thousand polls, none of which waits for a place', async () => {
    expect(await countOf(new Admission(POLLS), 2_001)).toEqual({ admitted: 2_000, refused: 1 });
  });

  test('Lets requests with 64 MiB of bodies wait, however many have come before', async () => {
    const admission = new Admission(REQUESTS);
    for (let n = 0; n < 3; n++) (await admission.enter(1))?.();
    await countOf(admission, 32);
    expect(await countOf(admission, 64, MEBIBYTE)).toEqual({ admitted: 0, refused: 0 });
    expect(await countOf(admission, 1, 1)).toEqual({ admitted: 0, refused: 1 });
  });

  test('Lets no request wait longer than ten seconds, and gives its room to the next one', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const admission = new Admission({ ...REQUESTS, places: 1, waiting: 1 });
    const outcomes: string[] = [];
    const enter = (name: string) =>
      void admission.enter(0).then((leave) => outcomes.push(`${name} is ${leave ? 'in' : 'refused'}`));
    enter('one');
    enter('two');
    vi.advanceTimersByTime(10_000);
    enter('three');
    await turn();
    expect(outcomes).toEqual(['one is in', 'three is refused']);
    vi.advanceTimersByTime(1);
    enter('four');
    await turn();
    expect(outcomes.slice(2)).toEqual(['two is refused']);
  });
});

describe('A poll that waits for events', () => {
  test('Occupies the place of no other request', async () => {
    await serveWith({ ...LIMITS, waiting: 0 }, { ...LIMITS, places: 3 });
    const polls = Array.from({ length: 3 }, () => get('/events'));
    await untilUnderWay(3);
    expect((await get('/answer')).status).toBe(200);
    await release(3);
    expect(statusesOf(await Promise.all(polls))).toEqual([200, 200, 200]);
  });

  test('Gets 429 if too many wait', async () => {
    await serveWith(LIMITS, { ...LIMITS, places: 1, waiting: 0 });
    const poll = get('/events');
    await untilUnderWay(1);
    expect((await get('/events')).status).toBe(429);
    await release(1);
    expect((await poll).status).toBe(200);
  });
});

test('An observer of the listener gets each answer, and requests that found no place', async () => {
  const heard: [number, boolean][] = [];
  gateway = await serve(registry, {
    admission: { requests: { ...LIMITS, places: 1, waiting: 0 }, polls: LIMITS },
    watch: ({ statusCode, isRefused }) => heard.push([statusCode, isRefused]),
  });
  const first = get('/held');
  await untilUnderWay(1);
  expect((await get('/answer')).status).toBe(429);
  underWay[0]?.();
  expect((await first).status).toBe(200);
  expect(heard).toEqual([
    [429, true],
    [200, false],
  ]);
});
