import { Unauthorized, UserDeactivated } from '#shared/domain/errors.ts';
import { ForeignRequest } from '#shared/domain/users/sessions/errors.ts';
import { findSession, SESSION_SECONDS } from '#shared/domain/users/sessions/session.ts';
import { type Account, asOf } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findAccount } from '#shared/store/users/users.ts';
import type { HttpEvent, HttpReply } from '../http.ts';

const SAFE_METHODS = ['GET', 'HEAD'];
const SESSION_TEXT = /^([\w-]{1,430})\.([\w-]{43})$/;

/**
 * The answer to a caller without credentials. Browsers get no Basic challenge, because it would open a window
 * of their own.
 */
export function challengeFor({ headers }: HttpEvent, reply: HttpReply): HttpReply {
  const isBrowser = headers['sec-fetch-site'] !== undefined || headers['user-agent']?.startsWith('Mozilla/');
  if (!isBrowser) return reply;
  return { ...reply, headers: { ...reply.headers, 'WWW-Authenticate': 'Session realm="team-chat"' } };
}

/** The browser that sent a request, and the cookie that the answer sets. */
export class Browser {
  readonly #http: HttpEvent;
  #cookie: string | undefined;

  constructor(http: HttpEvent) {
    this.#http = http;
  }

  /** The unverified text of the session cookie. */
  get sessionText(): string | undefined {
    const { cookies, headers } = this.#http;
    const prefix = `${this.#cookieName}=`;
    const pairs = cookies ?? headers.cookie?.split(';') ?? [];
    const pair = pairs.map((text) => text.trim()).find((candidate) => candidate.startsWith(prefix));
    return pair?.slice(prefix.length) || undefined;
  }

  /** Sets or deletes the session cookie. */
  holdSession(text: string | undefined): void {
    const ends = `Max-Age=${text === undefined ? 0 : SESSION_SECONDS}`;
    const secure = this.#isSecure ? '; Secure' : '';
    this.#cookie = `${this.#cookieName}=${text ?? ''}; Path=/; ${ends}; HttpOnly; SameSite=Lax${secure}`;
  }

  /** Keeps the session of an account that has another address now, by which it is found. */
  moveSession(email: string): void {
    const [, , token] = SESSION_TEXT.exec(this.sessionText ?? '') ?? [];
    if (token !== undefined) this.holdSession(`${Buffer.from(email).toString('base64url')}.${token}`);
  }

  /** The cookies of the answer, if any. */
  get cookies(): string[] | undefined {
    return this.#cookie === undefined ? undefined : [this.#cookie];
  }

  /**
   * Browsers send cookies with requests of other sites' pages too, so changes must come from a page of this
   * service.
   * @throws ForeignRequest unless the browser confirms it
   */
  requireOwnPage(): void {
    const { headers, requestContext } = this.#http;
    if (SAFE_METHODS.includes(requestContext.http.method)) return;
    const site = headers['sec-fetch-site'];
    const isOwn = site === undefined ? headers.origin === this.#origin : site === 'same-origin';
    if (!isOwn) throw new ForeignRequest();
  }

  /** The gateway reports the protocol of the request; only a local service works without encryption. */
  get #isSecure(): boolean {
    return this.#http.headers['x-forwarded-proto'] !== 'http';
  }

  get #origin(): string {
    return `${this.#isSecure ? 'https' : 'http'}://${this.#http.requestContext.domainName}`;
  }

  /**
   * Browsers accept a name with this prefix only from this very host, with encryption. Without encryption all
   * ports of a computer share their cookies, so the name identifies the service.
   */
  get #cookieName(): string {
    if (this.#isSecure) return '__Host-session';
    const [, port = '80'] = /:(\d+)$/.exec(this.#http.requestContext.domainName) ?? [];
    return `session-${port}`;
  }
}

/**
 * The browser or program that requests to be signed in or out; programs send no page information.
 * @throws ForeignRequest for a page of another site
 */
export function openBrowser(http: HttpEvent): Browser {
  const browser = new Browser(http);
  const { 'sec-fetch-site': site, origin } = http.headers;
  if (site !== undefined || origin !== undefined) browser.requireOwnPage();
  return browser;
}

/**
 * The account of a signed-in browser; undefined when its cookies name no session. Reads one item, and no
 * secret.
 * @throws Unauthorized for an invalid or ended session, UserDeactivated, ForeignRequest for a change
 * requested by another site's page
 */
export async function authenticateByCookie(
  http: HttpEvent,
  { table, clock }: Services,
): Promise<Account | undefined> {
  const browser = new Browser(http);
  const { sessionText } = browser;
  if (sessionText === undefined) return undefined;
  browser.requireOwnPage();
  const [, encodedEmail = '', token = ''] = SESSION_TEXT.exec(sessionText) ?? [];
  const nowSeconds = toSeconds(clock.nowMs());
  const account = await findAccount(table, Buffer.from(encodedEmail, 'base64url').toString());
  const session = account && findSession(account, token, nowSeconds);
  if (!session) throw new Unauthorized();
  if (!account.isActive) throw new UserDeactivated();
  return { ...asOf(account, nowSeconds), sessionDigest: session.digest };
}
