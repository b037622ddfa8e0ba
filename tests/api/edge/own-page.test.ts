import { describe, expect, test } from 'vitest';
import { Browser, openBrowser } from '#shared/api/auth/browser.ts';
import type { HttpEvent } from '#shared/api/http.ts';
import { ForeignRequest } from '#shared/domain/users/sessions/errors.ts';

const TOKEN = 't'.repeat(43);

/** A request as the gateway hands it over. */
const request = (
  headers: HttpEvent['headers'],
  { method = 'POST', domainName = 'chat.example.com' } = {},
) => ({
  version: '2.0' as const,
  routeKey: '$default',
  rawPath: '/',
  rawQueryString: '',
  headers,
  isBase64Encoded: false,
  requestContext: { requestId: '1', domainName, http: { method, path: '/', sourceIp: '192.0.2.1' } },
});

describe('A change with a session cookie', () => {
  const local = { domainName: 'localhost:9991' };
  test.each<{ title: string; headers: HttpEvent['headers']; at?: { domainName: string }; isTaken: boolean }>([
    { title: 'the same origin', headers: { 'sec-fetch-site': 'same-origin' }, isTaken: true },
    { title: 'another origin of the site', headers: { 'sec-fetch-site': 'same-site' }, isTaken: false },
    { title: 'another site', headers: { 'sec-fetch-site': 'cross-site' }, isTaken: false },
    {
      title: 'another site that claims the origin',
      headers: { 'sec-fetch-site': 'cross-site', origin: 'https://chat.example.com' },
      isTaken: false,
    },
    {
      title: 'an old browser with the origin',
      headers: { origin: 'https://chat.example.com' },
      isTaken: true,
    },
    { title: 'an old browser without it', headers: {}, isTaken: false },
    { title: 'an old browser with another host', headers: { origin: 'https://example.com' }, isTaken: false },
    {
      title: 'an old browser without encryption',
      headers: { origin: 'http://chat.example.com' },
      isTaken: false,
    },
    {
      title: 'an old browser and a local service',
      headers: { origin: 'http://localhost:9991', 'x-forwarded-proto': 'http' },
      at: local,
      isTaken: true,
    },
    {
      title: 'an old browser and another port of the computer',
      headers: { origin: 'http://localhost:3000', 'x-forwarded-proto': 'http' },
      at: local,
      isTaken: false,
    },
  ])('Depends on the headers of the page: $title', ({ headers, at, isTaken }) => {
    const check = () => new Browser(request(headers, at)).requireOwnPage();
    if (isTaken) expect(check).not.toThrow();
    else expect(check).toThrow(ForeignRequest);
    for (const method of ['GET', 'HEAD'])
      expect(() => new Browser(request(headers, { ...at, method })).requireOwnPage()).not.toThrow();
  });

  test('Succeeds for signing in and out by a program, which sends neither header', () => {
    expect(() => openBrowser(request({}))).not.toThrow();
    expect(() => openBrowser(request({ 'sec-fetch-site': 'none' }))).toThrow(ForeignRequest);
    expect(() => openBrowser(request({ origin: 'null' }))).toThrow(ForeignRequest);
  });
});

describe('The cookie of a session', () => {
  const http = { 'x-forwarded-proto': 'http' };
  const cookieOf = (event: HttpEvent, text: string | undefined): string | undefined => {
    const browser = new Browser(event);
    browser.holdSession(text);
    return browser.cookies?.[0];
  };

  test('Applies to this host and encrypted requests only, until it is deleted', () => {
    expect(cookieOf(request({}), 'x.y')).toMatch(
      /^__Host-session=x\.y; Path=\/; Max-Age=[1-9]\d+; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(cookieOf(request({}), undefined)).toBe(
      '__Host-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    );
  });

  test('Has the port in its name without encryption (services of one host share cookies)', () => {
    expect(cookieOf(request(http, { domainName: 'localhost:9991' }), 'x.y')).toMatch(
      /^session-9991=x\.y;.*SameSite=Lax$/,
    );
    expect(cookieOf(request(http, { domainName: 'localhost' }), 'x.y')).toMatch(/^session-80=/);
  });

  test('Can be found among others, in a list or in one header, and an empty one counts as missing', () => {
    const found = (event: HttpEvent) => new Browser(event).sessionText;
    expect(found({ ...request({}), cookies: ['a=1', '__Host-session=x.y', 'b=2'] })).toBe('x.y');
    expect(found(request({ cookie: 'a=1; __Host-session=x.y; b=2' }))).toBe('x.y');
    expect(found(request({ cookie: 'not__Host-session=x.y' }))).toBeUndefined();
    expect(found(request({ cookie: '__Host-session=' }))).toBeUndefined();
    expect(found(request({}))).toBeUndefined();
  });

  test('Follows an account to its new address, and only if there is one', () => {
    const session = `${Buffer.from('old@example.com').toString('base64url')}.${TOKEN}`;
    const browser = new Browser(request({ cookie: `__Host-session=${session}` }));
    browser.moveSession('new@example.com');
    const moved = `${Buffer.from('new@example.com').toString('base64url')}.${TOKEN}`;
    expect(browser.cookies?.[0]).toContain(`__Host-session=${moved};`);
    for (const headers of [{}, { cookie: '__Host-session=nonsense' }]) {
      const without = new Browser(request(headers));
      without.moveSession('new@example.com');
      expect(without.cookies).toBeUndefined();
    }
  });
});
