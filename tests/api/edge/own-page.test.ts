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
  const check = (headers: HttpEvent['headers'], at?: { domainName?: string; method?: string }) => () =>
    new Browser(request(headers, at)).requireOwnPage();
  const origin = 'https://chat.example.com';
  test.each<[string, HttpEvent['headers'], boolean]>([
    ['the same origin', { 'sec-fetch-site': 'same-origin' }, true],
    ['another origin of the site', { 'sec-fetch-site': 'same-site' }, false],
    ['another site', { 'sec-fetch-site': 'cross-site' }, false],
    ['another site that claims the origin', { 'sec-fetch-site': 'cross-site', origin }, false],
    ['an old browser with the origin', { origin }, true],
    ['an old browser without it', {}, false],
    ['an old browser with another host', { origin: 'https://example.com' }, false],
    ['an old browser without encryption', { origin: 'http://chat.example.com' }, false],
  ])('Depends on the headers of the page: %s', (_page, headers, isAccepted) => {
    if (isAccepted) expect(check(headers)).not.toThrow();
    else expect(check(headers)).toThrow(ForeignRequest);
    for (const method of ['GET', 'HEAD']) expect(check(headers, { method })).not.toThrow();
  });

  test('Comes from the same port of a local service', () => {
    const local = { domainName: 'localhost:9991' };
    const from = (port: number) => ({ origin: `http://localhost:${port}`, 'x-forwarded-proto': 'http' });
    expect(check(from(9991), local)).not.toThrow();
    expect(check(from(3000), local)).toThrow(ForeignRequest);
    expect(check(from(3000), { ...local, method: 'GET' })).not.toThrow();
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
    const deleted = '__Host-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure';
    expect(cookieOf(request({}), undefined)).toBe(deleted);
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
