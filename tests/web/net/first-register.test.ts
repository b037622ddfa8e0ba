import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CAPABILITIES } from '#web/state/capabilities.ts';

let pages = 0;
/** Opens another page: modules with another query run again. */
async function openPage(pathname: string) {
  vi.stubGlobal('location', { pathname });
  const path = `#web/net/first-register.ts?page=${++pages}`;
  return import(path);
}

const fetched = vi.fn();
beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('A page registers before anything else, with its usual parameters, and the reply is used once', async () => {
  const reply = new Response('{}');
  fetched.mockResolvedValue(reply);
  const { takeFirstReply, REGISTRATION } = await openPage('/');
  const [[target, { body, ...how }]] = fetched.mock.calls as [[string, RequestInit]];
  expect(target).toBe('/api/v1/register');
  expect(how).toEqual({ method: 'POST', credentials: 'same-origin' });
  const sent = [...(body as URLSearchParams)].map(([name, text]) => [name, JSON.parse(text)]);
  expect(Object.fromEntries(sent)).toEqual(REGISTRATION);
  expect(REGISTRATION).toEqual({
    ...{ apply_markdown: true, client_gravatar: true, slim_presence: true, include_subscribers: true },
    client_capabilities: CAPABILITIES,
  });
  expect(await takeFirstReply()).toBe(reply);
  expect(await takeFirstReply()).toBeUndefined();
  expect(fetched).toHaveBeenCalledTimes(1);
});

test('A page without a reachable service has no first reply, and fails only when it requests one', async () => {
  fetched.mockRejectedValue(new TypeError('fetch failed'));
  const unheard = vi.fn();
  process.on('unhandledRejection', unheard);
  const { takeFirstReply } = await openPage('/');
  await setImmediate();
  process.off('unhandledRejection', unheard);
  expect(unheard).not.toHaveBeenCalled();
  expect(await takeFirstReply()).toBeUndefined();
});

test.each([
  [401, true],
  [499, true],
  [500, false],
  [503, false],
])('A first reply with the status %i can be used: %s', async (status, counts) => {
  fetched.mockResolvedValue(new Response('{}', { status }));
  const { takeFirstReply } = await openPage('/');
  expect((await takeFirstReply())?.status).toBe(counts ? status : undefined);
});

test('The pages around signing in do not register', async () => {
  const { takeFirstReply } = await openPage('/login/');
  expect(fetched).not.toHaveBeenCalled();
  expect(await takeFirstReply()).toBeUndefined();
});
