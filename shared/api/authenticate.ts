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
import { findAccount } from '#shared/store/users.ts';
import { digestOfKey, isApiKeyShaped, isSameSecret } from './api-key.ts';

/** After so long the sweep has come by. */
const SWEEP_SECONDS = 300;

/**
 * The account named by an `Authorization: Basic` header (reference, "Authentication"). Reads one item, and no secret.
 * @throws Unauthorized, BadRequest, InvalidApiKey, UserDeactivated; RateLimitHit for an account that the sweep has to
 * look at first (`docs/decisions/0070-least-privilege.md`)
 */
export async function authenticate(header: string | undefined, services: Services): Promise<Account> {
  const { email, apiKey } = readCredentials(header);
  if (!isApiKeyShaped(apiKey)) throw new InvalidApiKey('Malformed API key');
  const account = await findAccount(services.table, email);
  if (account && account.apiKeyDigest === undefined) throw new RateLimitHit(SWEEP_SECONDS);
  const isRight = isSameSecret(digestOfKey(apiKey, account?.keyVersion ?? 0), account?.apiKeyDigest ?? '');
  if (!account || !isRight) throw new InvalidApiKey();
  if (!account.isActive) throw new UserDeactivated();
  return asOf(account, toSeconds(services.clock.nowMs()));
}

/** The API key in the header of a caller who was let in by it. */
export const apiKeyOf = (header: string | undefined): string => readCredentials(header).apiKey;

function readCredentials(header: string | undefined): { email: string; apiKey: string } {
  if (header === undefined || header.trim() === '') throw new Unauthorized();
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
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
}
