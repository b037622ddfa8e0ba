import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeTimeouts, load, useStillPage } from './still-page.ts';

const [api] = await load('#web/net/api.ts');

/** The next answers of the service, one after another; then it succeeds. */
let answers: (Response | Error)[];
let asked: (RequestInit & { target: string; afterMs: number })[];
const page = useStillPage();
beforeEach(() => {
  answers = [];
  asked = [];
  const beganMs = page.nowMs();
  vi.stubGlobal('fetch', (target: string, init: RequestInit) => {
    asked.push({ ...init, target, afterMs: page.nowMs() - beganMs });
    const answer = answers.shift() ?? failing(200, { fine: true });
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  api.session.value = 'in';
});
afterEach(() => (api.session.value = 'unknown'));

/** Read at once, since the time of the runtime does not pass. */
const failing = (status: number, body: object = {}, headers = {}): Response =>
  Object.assign(new Response(null, { status, headers }), { json: async () => body });
const lost = (): Error => new TypeError('fetch failed');
const unreadable = (status: number): Response =>
  Object.assign(new Response(null, { status }), { json: () => Promise.reject(new SyntaxError('No JSON')) });
const TOO_FAST = 'You’re going a little fast. Try again';
const KEY = { idempotencyKey: 'key' };
/** Calls, and lets time pass until an answer or a failure is there. */
async function call(method: string, options = {}, ms = 60_000) {
  const reply = api.call(method, '/anything', { a: 1 }, options);
  reply.catch(() => undefined);
  await page.pass(ms);
  return reply;
}
const times = () => asked.map(({ afterMs }) => afterMs);

describe('A failed call', () => {
  test.each([
    ['GET', {}, failing(500), 800],
    ['GET', {}, lost(), 800],
    ['POST', KEY, failing(503), 800],
    ['POST', KEY, lost(), 800],
    ['POST', {}, failing(429, { 'retry-after': 5 }), 5_200],
    ['POST', {}, failing(429, { 'retry-after': 2 }, { 'retry-after': '1' }), 2_200],
    ['DELETE', {}, failing(429, {}, { 'retry-after': '0' }), 200],
    ['PATCH', {}, failing(429), 200],
  ])('With %s %o has a retry if that is harmless: %s', async (method, options, failure, pauseMs) => {
    answers = [failure];
    expect(await call(method, options)).toEqual({ fine: true });
    expect(times()).toEqual([0, pauseMs]);
  });

  test.each([
    ['POST', {}, failing(500), 'Something went wrong on our side. Try again in a moment.'],
    ['PATCH', {}, lost(), 'Can’t reach the server. Check your connection.'],
    ['GET', {}, failing(400, { msg: 'No such thing' }), 'No such thing'],
    ['GET', {}, failing(499), 'Something went wrong (error 499).'],
    ['GET', {}, unreadable(404), 'Something went wrong (error 404).'],
    ['GET', {}, failing(429, { 'retry-after': 5.0005 }), `${TOO_FAST} in 6 seconds.`],
    ['GET', {}, failing(429, {}, { 'retry-after': '61' }), `${TOO_FAST} in 61 seconds.`],
    ['GET', { tries: 1 }, failing(429, { 'retry-after': 1.1 }), `${TOO_FAST} in 2 seconds.`],
    ['GET', { tries: 1 }, failing(429, { 'retry-after': 1 }), `${TOO_FAST} in a moment.`],
    ['GET', { tries: 1 }, failing(429, { msg: 'Slow down' }), `${TOO_FAST} in a moment.`],
    ['GET', { tries: 1 }, failing(503), 'Something went wrong on our side. Try again in a moment.'],
  ])('With %s %o has no retry if that cannot help: %s', async (method, options, failure, words) => {
    answers = [failure];
    await expect(call(method, options)).rejects.toThrow(words);
    expect(asked).toHaveLength(1);
  });

  test.each([
    [0, [0, 400, 1_200, 2_800]],
    [1, [0, 1_200, 3_600, 8_400]],
  ])('Has four attempts in all, after growing random pauses: %i', async (chance, all) => {
    vi.spyOn(Math, 'random').mockReturnValue(chance);
    answers = Array.from({ length: 9 }, () => failing(502));
    await expect(call('GET')).rejects.toThrow('Something went wrong on our side');
    expect(times()).toEqual(all);
  });

  test('Without an answer or a lost connection is not retried', async () => {
    const url = () => {
      throw new RangeError('Not this');
    };
    await expect(api.call('GET', '/anything', { a: { toJSON: url } })).rejects.toThrow('Not this');
    expect(asked).toEqual([]);
  });
});

describe('A call that is aborted', () => {
  beforeEach(() => {
    fakeTimeouts();
    vi.stubGlobal('fetch', (target: string, init: RequestInit) => {
      asked.push({ ...init, target, afterMs: 0 });
      init.signal?.throwIfAborted();
      return new Promise((_, reject) =>
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      );
    });
  });

  test.each([
    [{}, 30_000],
    [{ timeoutMs: 95_000 }, 95_000],
    [{ signal: new AbortController().signal }, 30_000],
  ])('For lack of an answer counts as an unreachable service: %o after %i ms', async (options, ms) => {
    const before = api.unreachable.value;
    const failure = call('POST', options, ms - 1).then(expect.fail, (reason: unknown) => reason);
    await page.pass(0);
    expect(api.unreachable.value).toBe(before);
    await page.pass(1);
    expect(api.unreachable.value).not.toBe(before);
    expect(await failure).toMatchObject({ name: 'Unreachable', cause: { message: 'Too late' } });
  });

  test('By its caller is not retried, and says nothing about the service', async () => {
    const before = api.unreachable.value;
    const abort = new AbortController();
    const failure = api.call('GET', '/anything', {}, { signal: abort.signal });
    abort.abort(new Error('No longer wanted'));
    await expect(failure).rejects.toThrow('No longer wanted');
    expect(asked).toHaveLength(1);
    expect(api.unreachable.value).toBe(before);
  });
});

describe('A call', () => {
  test('Has its parameters in the query of a read and the body of a write, and its key in a header', async () => {
    const params = { text: 'a b', list: [1, 'x'], yes: true, none: undefined, nil: null };
    expect(String(api.encodeParams(params))).toBe('text=a+b&list=%5B1%2C%22x%22%5D&yes=true&nil=null');
    await call('GET');
    await call('POST', KEY);
    await api.call('GET', '/nothing');
    const always = {
      credentials: 'same-origin',
      signal: expect.any(AbortSignal),
      afterMs: expect.any(Number),
    };
    const written = { headers: { 'Idempotency-Key': 'key' }, body: new URLSearchParams({ a: '1' }) };
    expect(asked).toEqual([
      { ...always, target: '/api/v1/anything?a=1', method: 'GET', headers: {} },
      { ...always, target: '/api/v1/anything', method: 'POST', ...written },
      { ...always, target: '/api/v1/nothing', method: 'GET', headers: {} },
    ]);
  });

  test('Signs the page out if it is refused for its session, and not otherwise', async () => {
    answers = [failing(403), failing(401, { msg: 'No session' })];
    await expect(call('GET')).rejects.toThrow('403');
    expect(api.session.value).toBe('in');
    await expect(call('GET')).rejects.toThrow('No session');
    expect(api.session.value).toBe('out');
  });

  test('Leaves the page signed in if the session was renewed meanwhile', async () => {
    const { resolve: answer, promise } = Promise.withResolvers<Response>();
    vi.stubGlobal('fetch', () => promise);
    const early = api.call('GET', '/anything');
    await api.renewSession(async () => undefined);
    answer(failing(401));
    await expect(early).rejects.toThrow('401');
    expect(api.session.value).toBe('in');
  });
});

describe('A session that is renewed', () => {
  test('May be one that a call found expired', async () => {
    await api.renewSession(async () => {
      api.session.value = 'out';
    });
    expect(api.session.value).toBe('unknown');
    api.session.value = 'in';
    await api.renewSession(async () => undefined);
    expect(api.session.value).toBe('in');
  });

  test('Remains the earlier one if the service refuses', async () => {
    api.session.value = 'out';
    const refused = api.renewSession(() => Promise.reject(new Error('Wrong password')));
    await expect(refused).rejects.toThrow('Wrong password');
    expect(api.session.value).toBe('out');
  });
});

test('A thrown value that is no error gets an explanation too', () => {
  expect(api.explain('thrown')).toBe('Something went wrong. Try again.');
  expect(api.explain(new Error('Why'))).toBe('Why');
});
