import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { openPage, type Page } from './page.ts';

let service: TestService;
let page: Page;
beforeAll(async () => {
  service = await startTestService();
  page = await openPage(service, service.owner);
});
afterAll(async () => {
  await page.close();
  await service.stop();
});

/** What the service answers next, one after another; then it answers well. */
let answers: (Response | Error)[];
let asked: RequestInit[];
beforeEach(() => {
  answers = [];
  asked = [];
  page.network = (_method, _path, init) => {
    asked.push(init);
    const answer = answers.shift() ?? Response.json({ fine: true });
    return answer instanceof Error ? Promise.reject(answer) : answer;
  };
});

const failing = (status: number, body: object = {}, headers = {}): Response =>
  Response.json({ result: 'error', ...body }, { status, headers });
const lost = (): Error => new TypeError('fetch failed');
const call = (method: string, options = {}) => page.net.api.call(method, '/anything', { a: 1 }, options);
const KEY = { idempotencyKey: 'key' };

test.each([
  ['GET', {}, failing(503)],
  ['GET', {}, lost()],
  ['POST', KEY, failing(500)],
  ['POST', KEY, lost()],
  ['POST', {}, failing(429, { 'retry-after': 0.01 })],
  ['DELETE', {}, failing(429, {}, { 'retry-after': '0' })],
])('%s %o is tried again after a failure that changes nothing', async (method, options, failure) => {
  answers = [failure];
  expect(await call(method, options)).toEqual({ fine: true });
  expect(asked).toHaveLength(2);
});

test.each([
  ['POST', {}, failing(503), 'The service has a problem. Try again in a moment.'],
  ['PATCH', {}, lost(), 'The service cannot be reached.'],
  ['GET', {}, failing(400, { msg: 'No such thing' }), 'No such thing'],
  ['GET', {}, failing(404), 'The service answered 404.'],
  ['GET', {}, failing(429, { 'retry-after': 61 }), 'The service asks for a pause of 61 seconds.'],
  ['GET', {}, failing(429, {}, { 'retry-after': '6' }), 'The service asks for a pause of 6 seconds.'],
  ['GET', { tries: 1 }, failing(429, { 'retry-after': 1 }), 'The service asks for a short pause.'],
  ['GET', { tries: 1 }, failing(503), 'The service has a problem. Try again in a moment.'],
])('%s %o fails at once after what a repeat may not mend: %s', async (method, options, failure, words) => {
  answers = [failure];
  await expect(call(method, options)).rejects.toThrow(words);
  expect(asked).toHaveLength(1);
});

test('a harmless call is tried four times in all', async () => {
  answers = [1, 2, 3, 4].map(() => failing(429, { 'retry-after': 0 }));
  await expect(call('GET')).rejects.toThrow('The service asks for a short pause.');
  expect(asked).toHaveLength(4);
});

test('a call that its caller gave up is not tried again', async () => {
  const abort = new AbortController();
  page.network = (_method, _path, init) => {
    asked.push(init);
    abort.abort();
    return Promise.reject(init.signal?.reason);
  };
  await expect(call('GET', { signal: abort.signal })).rejects.toThrow('aborted');
  expect(asked).toHaveLength(1);
});

test('parameters go into the query of a read and the body of a write, and the key into a header', async () => {
  const { encodeParams } = page.net.api;
  expect(String(encodeParams({ text: 'a b', list: [1, 'x'], yes: true, nothing: undefined }))).toBe(
    'text=a+b&list=%5B1%2C%22x%22%5D&yes=true',
  );
  await call('GET');
  await call('POST', KEY);
  expect(page.calls.slice(-2)).toEqual([
    { call: 'GET /anything?a=1', params: {} },
    { call: 'POST /anything', params: { a: '1' } },
  ]);
  expect(asked.map(({ headers }) => headers)).toEqual([{}, { 'Idempotency-Key': 'key' }]);
});

test('a refusal of the session signs the page out, unless the session was renewed meanwhile', async () => {
  const { call: ask, session, renewSession } = page.net.api;
  const renewed = renewSession(() => ask('POST', '/renew'));
  page.network = async () => {
    page.network = undefined;
    await renewed;
    return failing(401, { msg: 'No session' });
  };
  await expect(ask('GET', '/anything')).rejects.toThrow('No session');
  expect(session.value).toBe('in');
  page.network = () => failing(401);
  await expect(ask('GET', '/anything')).rejects.toThrow('401');
  expect(session.value).toBe('out');
});

test('what is no error is explained in words too', () => {
  expect(page.net.api.explain('thrown')).toBe('Something went wrong.');
  expect(page.net.api.explain(new Error('Why'))).toBe('Why');
});
