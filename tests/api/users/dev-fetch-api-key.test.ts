import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const fetchKey = (form: Record<string, string>) => sendForm(service.url, '/dev_fetch_api_key', form);

test('the local service gives the key of any account, without a password', async () => {
  const ada = await service.createUser('Ada');
  const { status, body } = await fetchKey({ username: ada.email.toUpperCase() });
  expect(status).toBe(200);
  expect(body).toEqual({
    result: 'success',
    msg: '',
    api_key: ada.apiKey,
    email: ada.email,
    user_id: ada.userId,
  });
});

test('the key is the newest one', async () => {
  const ada = await service.createUser('Ada');
  const { body } = await ada.post('/users/me/api_key/regenerate');
  expect((await fetchKey({ username: ada.email })).body.api_key).toBe(body.api_key);
});

test('no user has no key', async () => {
  expectRefusal(await fetchKey({ username: 'no@example.com' }), 'Your username or password is incorrect', {
    status: 401,
    code: 'AUTHENTICATION_FAILED',
  });
});

test('a deactivated account gets none', async () => {
  const gone = await service.createUser('Gone');
  await service.deactivate(gone);
  expectRefusal(await fetchKey({ username: gone.email }), 'Account is deactivated', {
    status: 401,
    code: 'USER_DEACTIVATED',
  });
});

test('the user name is required and is an address', async () => {
  expectMissing(await fetchKey({}), 'username');
  expectRefusal(await fetchKey({ username: 'ada' }), 'Enter a valid email address.');
});

test('a password that is given all the same is named as unknown', async () => {
  const { body } = await fetchKey({ username: service.owner.email, password: 'x' });
  expect(body.ignored_parameters_unsupported).toEqual(['password']);
});

test('the operation is none of those that are deployed', () => {
  expect(Object.keys(endpoints)).not.toContain('devFetchApiKey');
  expect(Object.values(endpoints).map(({ route }) => route)).not.toContain('POST /dev_fetch_api_key');
});
