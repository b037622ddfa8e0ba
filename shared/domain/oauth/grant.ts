import type { ApiToken, TokenScope } from '#shared/domain/api-tokens/api-token.ts';
import type { Change } from '#shared/domain/change.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { signInKeys } from '#shared/table/keys/sign-in.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Write } from '#shared/table/table.ts';

export const CODE_SECONDS = 60;
/** If a code is used twice within this time, the token of its first use ends. */
const CODE_KEPT_SECONDS = 3600;
export const ACCESS_SECONDS = 3600;
export const REFRESH_SECONDS = 30 * 24 * 3600;

/** A code that a person's consent gave a program, kept under the digest of its secret. */
export interface AuthorizationCode {
  userId: number;
  digest: string;
  clientId: string;
  clientName: string;
  redirectUri: string;
  challenge: string;
  scopes: TokenScope[];
  channels: number[] | null;
  keyVersion: number;
  endsAtSeconds: number;
  /** The token for which it was exchanged. */
  tokenId?: number;
}

export const codeWrite = (code: AuthorizationCode): Extract<Write, { kind: 'put' }> => ({
  kind: 'put',
  item: {
    ...signInKeys.authorizationCode(code.userId, code.digest),
    ...code,
    expiresAtSeconds: code.endsAtSeconds + CODE_KEPT_SECONDS,
  },
  condition: { exists: false },
});

/** Exchanges a code for a token, once. */
export function exchangeChange(code: AuthorizationCode, token: ApiToken, account: Account): Change {
  const { userId, tokenId, keyVersion } = token;
  return {
    writes: [
      {
        kind: 'update',
        key: signInKeys.authorizationCode(userId, code.digest),
        set: { tokenId },
        condition: { exists: true, absent: ['tokenId'] },
      },
      tokenPut(token, { exists: false }),
      { kind: 'check', key: userKeys.account(account.email), condition: { equals: { userId, keyVersion } } },
    ],
    events: [],
  };
}

/** Replaces the access and refresh token of a grant, on condition that no one else has. */
export const refreshChange = (before: ApiToken, after: ApiToken): Change => ({
  writes: [tokenPut(after, { equals: { digest: before.digest } })],
  events: [],
});

const tokenPut = (token: ApiToken, condition: { exists: false } | { equals: { digest: string } }): Write => ({
  kind: 'put',
  item: {
    ...signInKeys.apiToken(token.userId, token.tokenId),
    ...token,
    expiresAtSeconds: token.oauth?.refreshEndsAtSeconds,
  },
  condition,
});
