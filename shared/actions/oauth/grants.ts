import { randomBytes } from 'node:crypto';
import {
  type ApiToken,
  isAlive,
  requireFewTokens,
  tokenRevocation,
} from '#shared/domain/api-tokens/api-token.ts';
import {
  digestOfSecret,
  parseTokenText,
  REFRESH_PREFIX,
  tokenText,
} from '#shared/domain/api-tokens/token-text.ts';
import { isVerifierOf } from '#shared/domain/oauth/authorization.ts';
import { OAuthError } from '#shared/domain/oauth/errors.ts';
import {
  ACCESS_SECONDS,
  type AuthorizationCode,
  exchangeChange,
  REFRESH_SECONDS,
  refreshChange,
} from '#shared/domain/oauth/grant.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findApiToken, listApiTokens } from '#shared/store/api-tokens.ts';
import { findAuthorizationCode } from '#shared/store/authorization-codes.ts';
import { findAccount, findUser } from '#shared/store/users/users.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';

const SECRET_BYTES = 32;
const CODE = /^(\d{1,10})\.([A-Za-z0-9_-]{43})$/;

/** A token that was issued or renewed, with its texts. */
export interface IssuedToken {
  token: ApiToken;
  access: string;
  refresh: string;
}

interface ExchangeRequest {
  code?: string | undefined;
  client_id?: string | undefined;
  redirect_uri?: string | undefined;
  code_verifier?: string | undefined;
}

/**
 * Exchanges a code for a token. A code that arrives a second time has been stolen: the token of its first use ends.
 * @throws OAuthError, Conflict
 */
export async function exchangeCode(services: Services, request: ExchangeRequest): Promise<IssuedToken> {
  const { table } = services;
  const [, userId, secret = ''] = CODE.exec(request.code ?? '') ?? [];
  const code = userId && (await findAuthorizationCode(table, Number(userId), digestOfSecret(secret)));
  if (!code) throw new OAuthError('invalid_grant', 'The code is not valid.');
  requireRightful(code, request);
  if (code.tokenId !== undefined) {
    await endToken(services, code.userId, code.tokenId);
    throw new OAuthError('invalid_grant', 'The code was used before.');
  }
  const nowSeconds = toSeconds(services.clock.nowMs());
  const account = await findActiveAccount(services, code.userId);
  if (code.endsAtSeconds <= nowSeconds || account?.keyVersion !== code.keyVersion)
    throw new OAuthError('invalid_grant', 'The code has ended.');
  const existing = await listApiTokens(table, code.userId);
  requireFewTokens(existing.filter((token) => isAlive(token, account, nowSeconds)).length);
  const tokenId = await table.increment(organizationKeys.counter('api-token'), 'id');
  const { scopes, channels, keyVersion, clientId, clientName } = code;
  const issued = issue(services, {
    tokenId,
    userId: code.userId,
    name: clientName,
    scopes,
    channels,
    createdAtSeconds: nowSeconds,
    keyVersion,
    clientId,
  });
  await commit(services, exchangeChange(code, issued.token, account));
  return issued;
}

/** @throws OAuthError unless the program that shows the code is the one that asked for it */
function requireRightful(code: AuthorizationCode, request: ExchangeRequest): void {
  const isRightful =
    request.client_id === code.clientId &&
    request.redirect_uri === code.redirectUri &&
    isVerifierOf(code.challenge, request.code_verifier ?? '');
  if (!isRightful) throw new OAuthError('invalid_grant', 'The code belongs to another request.');
}

/**
 * Renews a token. A refresh token works once; one that comes again has been stolen, and the token ends.
 * @throws OAuthError, Conflict
 */
export async function renewToken(
  services: Services,
  request: { refresh_token?: string | undefined; client_id?: string | undefined },
): Promise<IssuedToken> {
  const parsed = parseTokenText(request.refresh_token ?? '', REFRESH_PREFIX);
  const before = parsed && (await findApiToken(services.table, parsed.userId, parsed.tokenId));
  const nowSeconds = toSeconds(services.clock.nowMs());
  const account = before && (await findActiveAccount(services, before.userId));
  if (!before?.oauth || !account || !isAlive(before, account, nowSeconds))
    throw new OAuthError('invalid_grant', 'The refresh token is not valid.');
  const { oauth } = before;
  if (parsed?.digest === oauth.spentDigest) {
    await endToken(services, before.userId, before.tokenId);
    throw new OAuthError('invalid_grant', 'The refresh token was used before.');
  }
  if (parsed?.digest !== oauth.refreshDigest || request.client_id !== oauth.clientId)
    throw new OAuthError('invalid_grant', 'The refresh token is not valid.');
  const issued = issue(services, {
    ...before,
    clientId: oauth.clientId,
    spentDigest: oauth.refreshDigest,
  });
  await commit(services, refreshChange(before, issued.token));
  return issued;
}

/** Ends a token, if it is still there. */
export async function endToken(services: Services, userId: number, tokenId: number): Promise<void> {
  const token = await findApiToken(services.table, userId, tokenId);
  if (token) await commit(services, tokenRevocation(token));
}

type Granted = Pick<
  ApiToken,
  'tokenId' | 'userId' | 'name' | 'scopes' | 'channels' | 'createdAtSeconds' | 'keyVersion'
> & { clientId: string; spentDigest?: string };

/** New token texts for a grant. */
function issue({ clock }: Services, granted: Granted): IssuedToken {
  const { clientId, spentDigest, tokenId, userId, name, scopes, channels, createdAtSeconds, keyVersion } =
    granted;
  const [access, refresh] = [newSecret(), newSecret()] as const;
  const nowSeconds = toSeconds(clock.nowMs());
  const token: ApiToken = {
    tokenId,
    userId,
    name,
    scopes,
    channels,
    createdAtSeconds,
    keyVersion,
    digest: digestOfSecret(access),
    endsAtSeconds: nowSeconds + ACCESS_SECONDS,
    oauth: {
      clientId,
      refreshDigest: digestOfSecret(refresh),
      refreshEndsAtSeconds: nowSeconds + REFRESH_SECONDS,
      ...(spentDigest !== undefined && { spentDigest }),
    },
  };
  return {
    token,
    access: tokenText(userId, tokenId, access),
    refresh: tokenText(userId, tokenId, refresh, REFRESH_PREFIX),
  };
}

const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

async function findActiveAccount({ table }: Services, userId: number): Promise<Account | undefined> {
  const user = await findUser(table, userId);
  const account = user && (await findAccount(table, user.email));
  return account?.isActive && account.userId === userId ? account : undefined;
}
