import { beforeEach, describe, expect, test } from 'vitest';
import { basic, send } from '#tests/harness/anonymous.ts';
import { signedInBrowser, type TestBrowser } from '#tests/harness/browser.ts';
import { makePicture } from '#tests/harness/pictures.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';

const NOT_LOGGED_IN = 'Not logged in: API authentication or user session required';
const UNAUTHORIZED = { status: 401, code: 'UNAUTHORIZED' };
const FOREIGN_TEXT = 'Requests with a session must come from a page of this service.';
const FOREIGN = { status: 403, code: 'CSRF_FAILED' };

let browser: TestBrowser;
const service = await startTestService();
const ada = await service.createUser('Ada');
await ada.subscribe('room');
beforeEach(async () => {
  browser = await signedInBrowser(service.url, ada.email);
});

const upload = (file: File) => {
  const rawBody = new FormData();
  rawBody.append('file', file);
  return ada.post('/user_uploads', {}, { rawBody });
};
const nameIn = async (): Promise<string> => (await ada.get('/users/me')).body.full_name;

describe('A session in place of an API key', () => {
  test('Registers, polls, sends and reads', async () => {
    const { body } = await browser.call('POST', '/register', { event_types: ['message'] });
    const message = { type: 'channel', to: 'room', topic: 'topic', content: 'from a browser' };
    const sent = await browser.call('POST', '/messages', message);
    const { queue_id, last_event_id } = body;
    const polled = await browser.call('GET', '/events', { queue_id, last_event_id });
    expect(polled.body.events[0].message.id).toBe(sent.body.id);
    expect((await browser.call('GET', `/messages/${sent.body.id}`)).body.message.sender_id).toBe(ada.userId);
  });

  test('Lets a page show uploaded pictures, their thumbnails and avatars by plain elements', async () => {
    const picture = new Uint8Array(await makePicture({ width: 900, height: 600 }));
    const { body } = await upload(new File([picture], 'a.png', { type: 'image/png' }));
    const rendered = await ada.post('/messages/render', { content: `[a](${body.url})` });
    const [, thumbnail] = /src="(\/user_uploads\/thumbnail\/[^"]+)"/.exec(rendered.body.rendered) ?? [];
    for (const path of [body.url, thumbnail ?? 'no thumbnail']) {
      const reply = await browser.load(path);
      expect(reply.status, path).toBe(200);
      expect(reply.headers.get('content-type'), path).toMatch(/^image\//);
      expect((await send(service.url, `/../..${path}`)).status, path).toBe(401);
    }
    expect((await browser.load(`/avatar/${ada.userId}`)).status).toBe(302);
  });

  test('Gets ignored if the request has an API key, right or wrong', async () => {
    const other = await service.createUser('Other');
    const call = (authorization: string) =>
      browser.call('GET', '/users/me', {}, { headers: { authorization } });
    expect((await call(other.authorization)).body.user_id).toBe(other.userId);
    expect((await call(basic(ada.email, 'a'.repeat(32)))).body.code).toBe('INVALID_API_KEY');
    // With an API key the page of the request does not matter.
    const headers = { authorization: ada.authorization, 'sec-fetch-site': 'cross-site' };
    expect((await browser.call('PATCH', '/settings', { enter_sends: true }, { headers })).status).toBe(200);
  });
});

describe('An invalid session cookie', () => {
  test.each([
    'x',
    '.',
    `.${'a'.repeat(43)}`,
    `${Buffer.from('nobody@example.com').toString('base64url')}.${'a'.repeat(43)}`,
    `${'a'.repeat(400)}.${'a'.repeat(43)}`,
    `${Buffer.from([0xff, 0xfe, 0]).toString('base64url')}.${'a'.repeat(43)}`,
    'a'.repeat(8_000),
    '%00',
  ])('Answers with a request to log in: %#', async (text) => {
    const headers = { cookie: `session-${new URL(service.url).port}=${text}` };
    const reply = await browser.call('GET', '/users/me', {}, { headers });
    expectRefusal(reply, NOT_LOGGED_IN, UNAUTHORIZED);
  });

  test('Includes one of another account with the same token', async () => {
    const other = await service.createUser('Other');
    const [name, text = ''] = [...browser.cookies][0] ?? [];
    const [, token] = text.split('.');
    const cookie = `${name}=${Buffer.from(other.email).toString('base64url')}.${token}`;
    const reply = await browser.call('GET', '/users/me', {}, { headers: { cookie } });
    expectRefusal(reply, NOT_LOGGED_IN, UNAUTHORIZED);
  });

  test('Counts as missing if it is empty, or has another name', async () => {
    const empty = `session-${new URL(service.url).port}=`;
    for (const cookie of [empty, 'session=x', 'theme=dark; a=b', ';;', '=']) {
      const reply = await browser.call('GET', '/server_settings', {}, { headers: { cookie } });
      expect(reply.status, cookie).toBe(200);
      const me = await browser.call('GET', '/users/me', {}, { headers: { cookie } });
      expectRefusal(me, NOT_LOGGED_IN, UNAUTHORIZED);
    }
  });
});

describe('A change by a session', () => {
  let renamed = 0;
  /** Headers of a browser, by the page that they describe. */
  const foreign: Record<string, string | undefined>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': undefined },
    { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
    { 'sec-fetch-site': undefined, origin: 'OWN.evil.example' },
    { 'sec-fetch-site': 'cross-site', origin: 'OWN' },
  ];
  const withOrigin = (headers: Record<string, string | undefined>) => ({
    headers: { ...headers, ...(headers.origin && { origin: headers.origin.replace('OWN', service.url) }) },
  });

  test.each(foreign)('From a page of another site is refused and changes nothing: %j', async (headers) => {
    const before = await nameIn();
    for (const [method, path, params] of [
      ['PATCH', '/settings', { full_name: 'Mallory' }],
      ['POST', '/settings', { full_name: 'Mallory', method: 'PATCH' }],
      ['POST', '/messages', { type: 'channel', to: 'room', topic: 'topic', content: 'x' }],
      ['DELETE', '/users/me', {}],
      ['DELETE', '/users/me/avatar', {}],
      ['DELETE', '/session', {}],
    ] as const) {
      const reply = await browser.call(method, path, params, withOrigin(headers));
      expectRefusal(reply, FOREIGN_TEXT, FOREIGN);
    }
    expect(await nameIn()).toBe(before);
    expect((await browser.call('GET', '/users/me')).status).toBe(200);
  });

  test.each([
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin', origin: 'https://behind-a-distribution.example' },
    { 'sec-fetch-site': undefined, origin: 'OWN' },
  ])('From a page of the service is accepted: %j', async (headers) => {
    const full_name = `Ada ${++renamed}`;
    await browser.call('PATCH', '/settings', { full_name }, withOrigin(headers));
    expect(await nameIn()).toBe(full_name);
  });

  test('Fails before it costs anything', async () => {
    service.meter.reset();
    const headers = { 'sec-fetch-site': 'cross-site' };
    await browser.call('PATCH', '/settings', { full_name: 'M' }, { headers });
    expect(service.meter).toMatchObject({ read: 0, write: 0 });
  });

  test('Differs from reading: a link from another site opens a file', async () => {
    const { body } = await upload(new File(['text'], 'a.txt'));
    const headers = { 'sec-fetch-site': 'cross-site' };
    const { body: file } = await browser.send(`${service.url}${body.url}`, {}, { headers });
    expect(Buffer.from(file).toString()).toBe('text');
  });
});

describe('A request without credentials', () => {
  const challengeOf = async (headers: Record<string, string>) =>
    (await send(service.url, '/users/me', { headers })).headers.get('www-authenticate');

  test('From a browser gets no challenge that would open a window', async () => {
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { 'user-agent': 'Mozilla/5.0 (X11)' }])
      expect(await challengeOf(headers as Record<string, string>)).toBe('Session realm="team-chat"');
  });

  test('From a program gets a challenge', async () => {
    expect(await challengeOf({ 'user-agent': 'curl/8.5' })).toBe('Basic realm="team-chat"');
  });
});
