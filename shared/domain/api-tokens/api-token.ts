import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { Account } from '#shared/domain/users/user.ts';
import type { EventPayload } from '#shared/events/catalogue.ts';
import { INTERNAL_SESSION_ENDED } from '#shared/events/stored-fields.ts';
import { signInKeys } from '#shared/table/keys/sign-in.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Write } from '#shared/table/table.ts';

/** The scopes of a token. What an operation requires is its `scope`; operations without one refuse tokens. */
export const tokenScopes = ['read', 'send', 'organize'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** The rights of a token's holder, at most the rights of its person. */
export interface TokenGrant {
  tokenId: number;
  /** The digest of the secret, which ends running polls when the token is revoked. */
  digest: string;
  scopes: readonly TokenScope[];
}

/** A personal API token, as stored: reading the table does not reveal its secret. */
export interface ApiToken extends TokenGrant {
  userId: number;
  name: string;
  /** The ids of the only channels that the token reaches, or null for no such limit. */
  channels: number[] | null;
  createdAtSeconds: number;
  /** Null for a token without an end. */
  endsAtSeconds: number | null;
  /** The token ends with this version of the API key, as sessions do. */
  keyVersion: number;
  /** Present for the token of a program that the person let in by OAuth; it ends early and is renewed. */
  oauth?: OAuthGrant;
}

export interface OAuthGrant {
  clientId: string;
  refreshDigest: string;
  refreshEndsAtSeconds: number;
  /** The digest of the refresh token before: whoever shows it has stolen one of the two. */
  spentDigest?: string;
}

/** A person needs few; each list of them is one query. */
const MAX_API_TOKENS = 50;
export const MAX_TOKEN_CHANNELS = 100;
export const MAX_TOKEN_NAME_LENGTH = 100;

/** Whether the token is valid now for the account. */
export const isValid = (token: ApiToken, account: Account, nowSeconds: number): boolean =>
  token.userId === account.userId &&
  token.keyVersion === account.keyVersion &&
  (token.endsAtSeconds === null || token.endsAtSeconds > nowSeconds);

/** Whether the token is valid now, or can be renewed. */
export const isAlive = (token: ApiToken, account: Account, nowSeconds: number): boolean =>
  token.oauth
    ? isValid({ ...token, endsAtSeconds: token.oauth.refreshEndsAtSeconds }, account, nowSeconds)
    : isValid(token, account, nowSeconds);

/** The caller as the token lets them act. */
export const asTokenHolder = (
  account: Account,
  { tokenId, digest, scopes, channels }: ApiToken,
): Account => ({
  ...account,
  token: { tokenId, digest, scopes },
  ...(channels && { onlyChannels: channels }),
});

/** @throws BadRequest for one token more than a person may have */
export function requireFewTokens(existing: number): void {
  if (existing >= MAX_API_TOKENS) throw new BadRequest(`You may have at most ${MAX_API_TOKENS} API tokens.`);
}

/** Stores a new token, on condition that the account still has the same key version. */
export function newTokenChange(token: ApiToken, account: Account): Change {
  const { userId, tokenId, endsAtSeconds, keyVersion } = token;
  const item = {
    ...signInKeys.apiToken(userId, tokenId),
    ...token,
    ...(endsAtSeconds !== null && { expiresAtSeconds: endsAtSeconds }),
  };
  const unchanged: Write = {
    kind: 'check',
    key: userKeys.account(account.email),
    condition: { equals: { userId, keyVersion } },
  };
  return { writes: [{ kind: 'put', item, condition: { exists: false } }, unchanged], events: [] };
}

/** Ends a token, and the polls that it let in. */
export function tokenRevocation({ userId, tokenId, digest }: ApiToken): Change {
  const payload: EventPayload = { type: INTERNAL_SESSION_ENDED, userId, tokenDigests: [digest] };
  return {
    writes: [{ kind: 'delete', key: signInKeys.apiToken(userId, tokenId), condition: { exists: true } }],
    events: [{ audience: { kind: 'users', userIds: [userId] }, payload }],
  };
}
