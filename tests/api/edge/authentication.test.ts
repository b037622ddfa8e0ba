import { describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import { basic, send, sendForm } from '#tests/harness/anonymous.ts';
import type { Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { envelopeOf, sendRaw } from '#tests/infra/local/gateway-fixture.ts';

const NOT_LOGGED_IN = 'Not logged in: API authentication or user session required';
const BROKEN = 'Invalid authorization header for basic auth';

const service = await startTestService();
const ada = await service.createUser('Ada');

const call = (authorization?: string): Promise<Reply> =>
  send(service.url, '/users/me', authorization === undefined ? {} : { headers: { authorization } });
const encode = (text: string | Buffer): string => Buffer.from(text).toString('base64');

const unauthorized = { status: 401, code: 'UNAUTHORIZED' };
const invalidKey = { status: 401, code: 'INVALID_API_KEY' };

describe('Valid credentials', () => {
  test('Consist of e-mail address and API key', proves('conventions.11'), async () => {
    expect((await call(basic(ada.email, ada.apiKey))).body.user_id).toBe(ada.userId);
  });

  test('Work in any letter case of scheme and address, and with white space around the parts', async () => {
    for (const header of [
      basic(ada.email, ada.apiKey).replace('Basic', 'bAsIC'),
      basic(ada.email.toUpperCase(), ada.apiKey),
      basic(` ${ada.email} `, ` ${ada.apiKey}\n`),
      `Basic   ${encode(`${ada.email}:${ada.apiKey}`)}`,
      `Basic ${encode(`${ada.email}:${ada.apiKey}`).replace(/=+$/, '')}`,
    ])
      expect((await call(header)).body.user_id, header).toBe(ada.userId);
  });

  test('Work the same for people and bots', proves('conventions.12'), async () => {
    const bot = await service.createUser('Robot');
    await service.makeBot(bot, ada);
    const { body } = await call(basic(bot.email, bot.apiKey));
    expect(body).toMatchObject({ user_id: bot.userId, is_bot: true });
  });
});

describe('Missing or broken credentials', () => {
  test.each([
    [undefined, NOT_LOGGED_IN],
    ['', NOT_LOGGED_IN],
    ['   ', NOT_LOGGED_IN],
    ['Basic ', BROKEN],
  ])('Answer to the header %j with a challenge', async (header, msg) => {
    const reply = await call(header);
    expectRefusal(reply, msg, unauthorized);
    expect(reply.headers.get('www-authenticate')).toMatch(/^Basic realm="/);
  });

  const schemes = ['Digest username="x"', 'nonsense', 'Basically x', 'Basic:abc'];
  test.each(schemes)('Fail for a scheme other than Basic in %j', async (header) => {
    expectRefusal(await call(header), 'This endpoint requires HTTP basic authentication.');
  });

  test.each([
    ['nothing after the scheme', 'Basic'],
    ['zero bytes', `Basic ${'\u0001'}`],
    ['no colon', `Basic ${encode('ada@example.com')}`],
    ['bytes that are not UTF-8', `Basic ${encode(Buffer.from([0xff, 0xfe, 0x3a, 0x61]))}`],
  ])('Include %s', proves('conventions.13'), async (_name, header) => {
    const reply = await rawCall(header);
    expect(reply).toMatchObject({ result: 'error' });
    expect(reply.msg).toMatch(new RegExp(`${BROKEN}|The request is not valid HTTP`));
  });

  test('Do no harm in a header of 9 000 characters', async () => {
    expectRefusal(await call(`Basic ${'A'.repeat(9_000)}`), BROKEN, unauthorized);
    expect((await call(basic(ada.email, ada.apiKey))).status).toBe(200);
  });

  test('Cannot be read from two headers', async () => {
    const own = basic(ada.email, ada.apiKey);
    expect(await rawCall(own, own)).toMatchObject({ result: 'error' });
  });

  async function rawCall(...headers: string[]) {
    const lines = [
      'Host: localhost',
      ...headers.map((header) => `Authorization: ${header}`),
      'Connection: close',
    ];
    const request = `GET /api/v1/users/me HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
    const reply = await sendRaw(service.service, request);
    expect(reply).toMatch(/^HTTP\/1.1 4\d\d /);
    return envelopeOf(reply);
  }
});

describe('Wrong API keys', () => {
  test.each([
    ['empty', ''],
    ['a character long', `${ada.apiKey}x`],
    ['of other characters', `${ada.apiKey.slice(0, 31)}-`],
    ['of 5000 characters', 'k'.repeat(5000)],
    ['another key after a colon', `${ada.apiKey}:${ada.apiKey}`],
  ])('Count as malformed if they are %s', async (_name, key) => {
    expectRefusal(await call(basic(ada.email, key)), 'Malformed API key', invalidKey);
  });

  test('Fail if they are unknown', async () => {
    expectRefusal(await call(basic(ada.email, 'a'.repeat(32))), 'Invalid API key', invalidKey);
  });

  test('Fail if they belong to another user, even to the owner', async () => {
    const bo = await service.createUser('Bo');
    for (const { apiKey } of [bo, service.owner])
      expectRefusal(await call(basic(ada.email, apiKey)), 'Invalid API key', invalidKey);
  });

  test('Get the same answer as an unknown address', async () => {
    for (const email of ['no@example.com', '', 'x'.repeat(3000), 'a\0b', '__proto__', '🦄'])
      expectRefusal(await call(basic(email, ada.apiKey)), 'Invalid API key', invalidKey);
  });
});

describe('Accounts at the API', () => {
  test('Get the error for deactivated accounts if the key is right', async () => {
    const gone = await service.createUser('Gone');
    await service.deactivate(gone);
    const deactivated = { status: 401, code: 'USER_DEACTIVATED' };
    expectRefusal(await call(basic(gone.email, gone.apiKey)), 'Account is deactivated', deactivated);
    expectRefusal(await call(basic(gone.email, 'a'.repeat(32))), 'Invalid API key', invalidKey);
  });

  test('Do not include the bots of the service, whose keys no one knows', async () => {
    const bot = (await ada.post('/register')).body.cross_realm_bots[0].email;
    expectRefusal(await call(basic(bot, ada.apiKey)), 'Invalid API key', invalidKey);
  });

  test('Cannot be named in parameters', async () => {
    const form = { email: ada.email, api_key: ada.apiKey, username: ada.email, password: ada.apiKey };
    const query = new URLSearchParams(form);
    expectRefusal(await send(service.url, `/users/me?${query}`), NOT_LOGGED_IN, unauthorized);
    expectRefusal(await sendForm(service.url, '/register', form), NOT_LOGGED_IN, unauthorized);
  });

  test('Get checked before the parameters', async () => {
    const body = new URLSearchParams({ subscriptions: 'not JSON' });
    const reply = await send(service.url, '/users/me/subscriptions', { method: 'POST', body });
    expectRefusal(reply, NOT_LOGGED_IN, unauthorized);
    const code = 'UNAUTHORIZED_PRINCIPAL';
    expectRefusal(await ada.post('/users'), 'Must be an organization administrator', { code });
  });
});
