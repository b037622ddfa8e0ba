import { describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { expectDeactivated } from './accounts.ts';

const service = await startTestService({}, { devKeys: true });

const fetchKey = (form: Record<string, string>) => sendForm(service.url, '/dev_fetch_api_key', form);

test('The local service returns the key of any account, without a password', async () => {
  const ada = await service.createUser('Ada');
  const { status, body } = await fetchKey({ username: ada.email.toUpperCase() });
  expect(status).toBe(200);
  const account = { api_key: ada.apiKey, email: ada.email, user_id: ada.userId };
  expect(body).toEqual({ result: 'success', msg: '', ...account });
});

test('The development endpoint refuses unknown users and deactivated accounts', async () => {
  const unknown = await fetchKey({ username: 'no@example.com' });
  const failed = { status: 401, code: 'AUTHENTICATION_FAILED' };
  expectRefusal(unknown, 'Your username or password is incorrect', failed);
  const gone = await service.createUser('Gone');
  await service.deactivate(gone);
  expectDeactivated(await fetchKey({ username: gone.email }));
});

describe('The setting DEV_KEYS=true allows', () => {
  const request = (headers: Record<string, string>) =>
    fetch(`${service.url}/api/v1/dev_fetch_api_key`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ username: service.owner.email }),
    });

  test.each([
    ['a program', () => ({})],
    ['a page of the service', () => ({ origin: service.url, 'sec-fetch-site': 'same-origin' })],
    ['an address typed by its user', () => ({ 'sec-fetch-site': 'none' })],
  ])('A call by %s', async (_name, headers) => {
    const reply = await request(headers());
    expect(reply.status).toBe(200);
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
  });

  test.each([
    ['a page of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another site by its origin alone', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['a page at another port', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
    ['a navigation from another site', { 'sec-fetch-site': 'cross-site' }],
    ['a caller behind a proxy', { 'x-forwarded-for': '192.0.2.1' }],
    ['a caller behind another proxy', { forwarded: 'for=192.0.2.1' }],
  ])('No call by %s', async (_name, headers) => {
    const reply = await request(headers);
    expect(reply.status).toBe(403);
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
    expect(await reply.text()).not.toContain(service.owner.apiKey);
  });
});

test('A service without DEV_KEYS does not have the operation', async () => {
  const own = await startTestService();
  const { status } = await sendForm(own.url, '/dev_fetch_api_key', { username: own.owner.email });
  expect(status).toBe(404);
  const account = { username: own.owner.email, password: PASSWORD };
  expect((await sendForm(own.url, '/fetch_api_key', account)).body.api_key).toBe(own.owner.apiKey);
});

test.each([{ host: '0.0.0.0' }, { host: '::' }, { publicUrl: 'https://chat.example.org' }])(
  'A start with DEV_KEYS and %o is refused',
  async (options) =>
    expect(startTestService({}, { devKeys: true, ...options })).rejects.toThrow(/^DEV_KEYS=true/),
);

test('The development endpoint is never deployed', () => {
  expect(Object.keys(endpoints)).not.toContain('devFetchApiKey');
  expect(Object.values(endpoints).map(({ route }) => route)).not.toContain('POST /dev_fetch_api_key');
});
