import { TOKEN_PREFIX } from '#shared/domain/api-tokens/token-text.ts';
import {
  BadRequest,
  InvalidApiKey,
  RateLimitHit,
  Unauthorized,
  UserDeactivated,
} from '#shared/domain/errors.ts';
import { type Account, asOf } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findAccount } from '#shared/store/users/users.ts';
import type { HttpEvent } from '../http.ts';
import { digestOfKey, isApiKeyShaped, isSameSecret } from './api-key.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The sweep runs at least once in this time. */
const SWEEP_SECONDS = 300;

/**
 * The account named by a request's header, else by its browser's session; undefined for anonymous requests.
 * Reads one item, and no secret.
 * @throws like `authenticateByKey`, and ForeignRequest for requests of other sites' pages
 */
export async function authenticate(http: HttpEvent, services: Services): Promise<Account | undefined> {
  const { authorization, cookie } = http.headers;
  if (authorization?.trim()) return authenticateByKey(authorization, services);
  if (!http.cookies && cookie === undefined) return undefined;
  const { authenticateByCookie } = await loadBrowsers();
  return authenticateByCookie(http, services);
}

/** Loaded on demand, because only browsers need it. */
export const loadBrowsers = () => import('./browser.ts');

/**
 * The account named by an `Authorization` header: `Basic` with an API key (reference, "Authentication") or an API token
 * as password, or `Bearer` with a token.
 * @throws Unauthorized, BadRequest, InvalidApiKey, UserDeactivated; RateLimitHit for an account that the sweep has to
 * look at first (`docs/decisions/0017-least-privilege.md`)
 */
export async function authenticateByKey(header: string, services: Services): Promise<Account> {
  const token = readToken(header);
  if (token) return (await import('./api-token.ts')).authenticateByToken(token, services);
  const { email, apiKey } = readCredentials(header);
  if (!isApiKeyShaped(apiKey)) throw new InvalidApiKey('Malformed API key');
  const account = await findAccount(services.table, email);
  if (account && account.apiKeyDigest === undefined) throw new RateLimitHit(SWEEP_SECONDS);
  return requireKeyOf(account, apiKey, services);
}

/** The account, if the key is its present one. @throws InvalidApiKey, UserDeactivated */
export function requireKeyOf(account: Account | undefined, apiKey: string, { clock }: Services): Account {
  const isRight = isSameSecret(digestOfKey(apiKey, account?.keyVersion ?? 0), account?.apiKeyDigest ?? '');
  if (!account || !isRight) throw new InvalidApiKey();
  if (!account.isActive) throw new UserDeactivated();
  return asOf(account, toSeconds(clock.nowMs()));
}

/** The API token of a header, with the address if there is one; undefined for other credentials. */
function readToken(header: string): { text: string; email?: string } | undefined {
  const [scheme = '', text = ''] = header.trim().split(/\s+/);
  if (scheme.toLowerCase() === 'bearer') return { text };
  const { email, apiKey } = readCredentials(header);
  return apiKey.startsWith(TOKEN_PREFIX) ? { text: apiKey, email } : undefined;
}

/** The API key or token of a header. @throws BadRequest, Unauthorized for a malformed header */
export const secretInHeader = (header: string): string => {
  const [scheme = '', text = ''] = header.trim().split(/\s+/);
  return scheme.toLowerCase() === 'bearer' ? text : readCredentials(header).apiKey;
};

/**
 * Address and API key in the header of HTTP Basic.
 * @throws BadRequest, Unauthorized for a malformed header
 */
export function readCredentials(header: string): { email: string; apiKey: string } {
  const [scheme = '', ...rest] = header.trim().split(/\s+/);
  if (scheme.toLowerCase() !== 'basic')
    throw new BadRequest('This endpoint requires HTTP basic authentication.');
  const decoded = decodeBase64(rest.join(' '));
  const colon = decoded?.indexOf(':') ?? -1;
  if (decoded === undefined || colon < 0)
    throw new Unauthorized('Invalid authorization header for basic auth');
  return { email: decoded.slice(0, colon).trim(), apiKey: decoded.slice(colon + 1).trim() };
}

function decodeBase64(encoded: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded)) return undefined;
  try {
    return utf8.decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
}
