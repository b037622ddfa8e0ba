import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import { basic, send, sendForm } from '#tests/harness/anonymous.ts';
import type { Client, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { envelopeOf, sendRaw } from '#tests/infra/local/gateway-fixture.ts';

const NOT_LOGGED_IN = 'Not logged in: API authentication or user session required';
const BROKEN = 'Invalid authorization header for basic auth';

let service: TestService;
let ada: Client;
beforeAll(async () => {
  service = await startTestService();
  ada = await service.createUser('Ada');
});
afterAll(() => service.stop());

const call = (authorization?: string): Promise<Reply> =>
  send(service.url, '/users/me', authorization === undefined ? {} : { headers: { authorization } });
const encode = (text: string | Buffer): string => Buffer.from(text).toString('base64');

const unauthorized = { status: 401, code: 'UNAUTHORIZED' };
const invalidKey = { status: 401, code: 'INVALID_API_KEY' };

describe('Credentials that are right', () => {
  test('Are address and API key', proves('conventions.11'), async () => {
    expect((await call(basic(ada.email, ada.apiKey))).body.user_id).toBe(ada.userId);
  });

  test('Work whatever the letter case of scheme and address, and with white space around the parts', async () => {
    for (const header of [
      basic(ada.email, ada.apiKey).replace('Basic', 'bAsIC'),
      basic(ada.email.toUpperCase(), ada.apiKey),
      basic(` ${ada.email} `, ` ${ada.apiKey}\n`),
      `Basic   ${encode(`${ada.email}:${ada.apiKey}`)}`,
      `Basic ${encode(`${ada.email}:${ada.apiKey}`).replace(/=+$/, '')}`,
    ])
      expect((await call(header)).body.user_id, header).toBe(ada.userId);
  });

  test('Are told apart from those of a bot by nothing', proves('conventions.12'), async () => {
    const bot = await service.createUser('Robot');
    await service.makeBot(bot, ada);
    expect((await call(basic(bot.email, bot.apiKey))).body).toMatchObject({
      user_id: bot.userId,
      is_bot: true,
    });
  });
});

describe('Credentials that are missing or broken', () => {
  test('No header at all: the caller is told to log in', async () => {
    const reply = await call();
    expectRefusal(reply, NOT_LOGGED_IN, unauthorized);
    expect(reply.headers.get('www-authenticate')).toMatch(/^Basic realm="/);
  });

  test.each(['', '   '])('An empty header %j is none', async (header) => {
    expectRefusal(await call(header), NOT_LOGGED_IN, unauthorized);
  });

  test.each(['Digest username="x"', 'nonsense', 'Basically x', 'Basic:abc'])(
    'The scheme of %j is not Basic',
    async (header) => {
      expectRefusal(await call(header), 'This endpoint requires HTTP basic authentication.');
    },
  );

  test.each([
    ['nothing after the scheme', 'Basic'],
    ['what is not base64', 'Basic !!!'],
    ['zero bytes', `Basic ${'\u0001'}`],
    ['no colon', `Basic ${encode('ada@example.com')}`],
    ['bytes that are not UTF-8', `Basic ${encode(Buffer.from([0xff, 0xfe, 0x3a, 0x61]))}`],
    ['two texts', `Basic ${encode('a:b')} ${encode('c:d')}`],
  ])('%s', proves('conventions.13'), async (_name, header) => {
    const reply = await rawCall(header);
    expect(reply).toMatchObject({ result: 'error' });
    expect(reply.msg).toMatch(new RegExp(`${BROKEN}|The request is not valid HTTP`));
  });

  test('A broken header is answered with the wish for another one', async () => {
    const reply = await call('Basic ');
    expectRefusal(reply, BROKEN, unauthorized);
    expect(reply.headers.get('www-authenticate')).toMatch(/^Basic realm="/);
  });

  test('A header of 9 000 characters is no harm', async () => {
    expectRefusal(await call(`Basic ${'A'.repeat(9_000)}`), BROKEN, unauthorized);
    expect((await call(basic(ada.email, ada.apiKey))).status).toBe(200);
  });

  test('Two headers are none that can be read', async () => {
    const own = basic(ada.email, ada.apiKey);
    const reply = await sendRaw(
      service.service,
      `GET /api/v1/users/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${own}\r\nAuthorization: ${own}\r\nConnection: close\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1.1 4\d\d /);
    expect(envelopeOf(reply)).toMatchObject({ result: 'error' });
  });

  async function rawCall(header: string) {
    const reply = await sendRaw(
      service.service,
      `GET /api/v1/users/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${header}\r\nConnection: close\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1.1 4\d\d /);
    return envelopeOf(reply);
  }
});

describe('API keys that are wrong', () => {
  test.each([
    ['empty', () => ''],
    ['a character short', () => ada.apiKey.slice(1)],
    ['a character long', () => `${ada.apiKey}x`],
    ['of other characters', () => `${ada.apiKey.slice(0, 31)}-`],
    ['of letters beyond ASCII', () => `${ada.apiKey.slice(0, 31)}é`],
    ['followed by a zero byte', () => `${ada.apiKey.slice(0, 31)}\0`],
    ['of 5000 characters', () => 'k'.repeat(5000)],
    ['another key after a colon', () => `${ada.apiKey}:${ada.apiKey}`],
  ])('A key that is %s is malformed', async (_name, key) => {
    expectRefusal(await call(basic(ada.email, key())), 'Malformed API key', invalidKey);
  });

  test('An unknown key is invalid', async () => {
    expectRefusal(await call(basic(ada.email, 'a'.repeat(32))), 'Invalid API key', invalidKey);
  });

  test('A key in another letter case is invalid', async () => {
    const swapped = ada.apiKey.replace(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    expectRefusal(await call(basic(ada.email, swapped)), 'Invalid API key', invalidKey);
  });

  test("Another user's key is invalid, the owner's too", async () => {
    const bo = await service.createUser('Bo');
    for (const { apiKey } of [bo, service.owner])
      expectRefusal(await call(basic(ada.email, apiKey)), 'Invalid API key', invalidKey);
  });

  test('An address that no user has is answered in the same way', async () => {
    for (const email of ['no@example.com', '', 'x'.repeat(3000), 'a\0b', '__proto__', '🦄'])
      expectRefusal(await call(basic(email, ada.apiKey)), 'Invalid API key', invalidKey);
  });

  test('The password is no key', async () => {
    expectRefusal(await call(basic(ada.email, 'correct horse battery')), 'Malformed API key', invalidKey);
  });
});

describe('Accounts', () => {
  test('A deactivated one is told so, when the key is right', async () => {
    const gone = await service.createUser('Gone');
    await service.deactivate(gone);
    expectRefusal(await call(basic(gone.email, gone.apiKey)), 'Account is deactivated', {
      status: 401,
      code: 'USER_DEACTIVATED',
    });
    expectRefusal(await call(basic(gone.email, 'a'.repeat(32))), 'Invalid API key', invalidKey);
  });

  test('The bots of the service have no key that anybody could know', async () => {
    const bot = (await ada.post('/register')).body.cross_realm_bots[0].email;
    expectRefusal(await call(basic(bot, ada.apiKey)), 'Invalid API key', invalidKey);
  });

  test('Credentials in parameters do not count', async () => {
    const form = { email: ada.email, api_key: ada.apiKey, username: ada.email, password: ada.apiKey };
    const query = new URLSearchParams(form);
    expectRefusal(await send(service.url, `/users/me?${query}`), NOT_LOGGED_IN, unauthorized);
    expectRefusal(await sendForm(service.url, '/register', form), NOT_LOGGED_IN, unauthorized);
  });

  test('Who may call is asked before what the call wants', async () => {
    const body = new URLSearchParams({ subscriptions: 'not JSON' });
    const reply = await send(service.url, '/users/me/subscriptions', { method: 'POST', body });
    expectRefusal(reply, NOT_LOGGED_IN, unauthorized);
    expectRefusal(await ada.post('/users'), 'Must be an organization administrator', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
  });
});
