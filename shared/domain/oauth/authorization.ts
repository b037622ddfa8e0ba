import { hash, timingSafeEqual } from 'node:crypto';
import { type TokenScope, tokenScopes } from '#shared/domain/api-tokens/api-token.ts';
import { OAuthError } from './errors.ts';

/** The authorization that a program requests of a person, as it arrives at the authorization endpoint. */
export interface AskedAuthorization {
  response_type?: string | undefined;
  code_challenge?: string | undefined;
  code_challenge_method?: string | undefined;
  scope?: string | undefined;
  resource?: string | undefined;
}

export interface Authorization {
  challenge: string;
  scopes: TokenScope[];
}

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** Whether tokens of this service are for the resource that the program names: the service or its agents' address. */
export const isOwnResource = (resource: string, origin: string): boolean =>
  [origin, `${origin}/`, `${origin}/mcp`].includes(resource);

/** @throws OAuthError, which is reported to the program */
export function readAuthorization(asked: AskedAuthorization, origin: string): Authorization {
  const { code_challenge: challenge, resource } = asked;
  if (asked.response_type !== 'code')
    throw new OAuthError('unsupported_response_type', 'The response_type must be code.');
  if (challenge === undefined || !CHALLENGE.test(challenge) || asked.code_challenge_method !== 'S256')
    throw new OAuthError('invalid_request', 'PKCE with S256 is required.');
  if (resource !== undefined && !isOwnResource(resource, origin))
    throw new OAuthError('invalid_target', 'The resource is not part of this service.');
  const named = (asked.scope ?? 'read').split(' ').filter(Boolean);
  const scopes = tokenScopes.filter((tokenScope) => named.includes(tokenScope));
  if (scopes.length === 0) throw new OAuthError('invalid_scope', 'No scope of this service was requested.');
  return { challenge, scopes };
}

/** Whether a verifier is that of a challenge (RFC 7636, S256). */
export function isVerifierOf(challenge: string, verifier: string): boolean {
  if (!VERIFIER.test(verifier)) return false;
  const input = Buffer.from(hash('sha256', verifier, 'base64url'));
  const expected = Buffer.from(challenge);
  return input.length === expected.length && timingSafeEqual(input, expected);
}

/** The address to which the person is sent with an answer for the program. */
export function redirectWith(uri: string, answer: Record<string, string | undefined>): string {
  const fields = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const query = new URLSearchParams(fields).toString();
  return `${uri}${uri.includes('?') ? '&' : '?'}${query}`;
}
