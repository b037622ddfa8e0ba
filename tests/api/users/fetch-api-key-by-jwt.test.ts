import { describe, expect, test } from 'vitest';
import { sendForm } from '#tests/harness/anonymous.ts';
import { JWT_KEY, signToken } from '#tests/harness/json-web-token.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createBot } from '../bots/bots.ts';

const BAD = 'Bad JSON web token';

const service = await startTestService({ jwtKey: JWT_KEY });
const ada = await service.createUser('Ada');

const fetchKey = (form: Record<string, string>) => sendForm(service.url, '/jwt/fetch_api_key', form);
const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const nowSeconds = () => Math.floor(service.services.clock.nowMs() / 1000);

describe('A JSON web token', () => {
  test('Gives the API key of the account that it names', async () => {
    const claims = { email: ada.email.toUpperCase(), exp: nowSeconds() + 60, nbf: nowSeconds() - 1 };
    const { status, body } = await fetchKey({ token: signToken(claims) });
    expect(status).toBe(200);
    expect(body).toEqual({ result: 'success', msg: '', api_key: ada.apiKey, email: ada.email });
  });

  test('Gives a description of the user too if the caller wants one', async () => {
    const { body } = await fetchKey({ token: signToken({ email: ada.email }), include_profile: 'true' });
    expect(body.user).toMatchObject({ user_id: ada.userId, full_name: 'Ada', delivery_email: ada.email });
  });

  test.each([
    ['of another key', () => signToken({ email: ada.email }, { key: 'another key' })],
    ['of another algorithm', () => signToken({ email: ada.email }, { alg: 'none' })],
    ['that has ended', () => signToken({ email: ada.email, exp: nowSeconds() })],
    ['that has not begun', () => signToken({ email: ada.email, nbf: nowSeconds() + 60 })],
    ['with an end that is no number', () => signToken({ email: ada.email, exp: 'never' })],
    ['without a signature', () => signToken({ email: ada.email }).replace(/[^.]+$/, '')],
    ['with a changed claim', () => signToken({}).replace(/\..+\./, `.${encode({ email: ada.email })}.`)],
    ['with a fourth part', () => `${signToken({ email: ada.email })}.x`],
    ['that holds a list', () => signToken([])],
    ['that is a word', () => 'token'],
  ])('Gives no key if it is one %s', async (_name, make) => {
    expectRefusal(await fetchKey({ token: make() }), BAD);
  });

  test('Must be there, and name an address', async () => {
    expectRefusal(await fetchKey({}), 'No JSON web token passed in request');
    expectRefusal(await fetchKey({ token: '' }), 'No JSON web token passed in request');
    const unnamed = 'No email specified in JSON web token claims';
    expectRefusal(await fetchKey({ token: signToken({ sub: 'ada' }) }), unnamed);
    expectRefusal(await fetchKey({ token: signToken({ email: 'ada' }) }), 'Enter a valid email address.');
    const long = { token: 'x'.repeat(4001) };
    expectRefusal(await fetchKey(long), 'token is too long (limit: 4000 characters)');
  });

  test('Opens no account that does not exist, was deactivated or is a bot’s', async () => {
    const gone = await service.createUser('Gone');
    await service.deactivate(gone);
    const bot = await createBot(ada);
    const failed = { status: 401, code: 'AUTHENTICATION_FAILED' };
    for (const email of ['no@example.com', bot.email])
      expectRefusal(
        await fetchKey({ token: signToken({ email }) }),
        'Your username or password is incorrect',
        failed,
      );
    const deactivated = { status: 401, code: 'USER_DEACTIVATED' };
    expectRefusal(
      await fetchKey({ token: signToken({ email: gone.email }) }),
      'Account is deactivated',
      deactivated,
    );
  });
});

test('A service without a configured key refuses every token', async () => {
  const without = await startTestService();
  for (const form of [{}, { token: signToken({ email: without.owner.email }) }])
    expectRefusal(
      await sendForm(without.url, '/jwt/fetch_api_key', form as Record<string, string>),
      'JWT authentication is not enabled for this organization',
    );
  await without.stop();
});
