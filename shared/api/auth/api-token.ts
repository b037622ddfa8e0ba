import { asTokenHolder, isValid } from '#shared/domain/api-tokens/api-token.ts';
import { parseTokenText } from '#shared/domain/api-tokens/token-text.ts';
import { InvalidApiKey, UserDeactivated } from '#shared/domain/errors.ts';
import { type Account, asOf } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findApiToken, noteTokenUse } from '#shared/store/api-tokens.ts';
import { findAccount, findUser } from '#shared/store/users/users.ts';
import { isSameSecret } from './api-key.ts';

/**
 * The account of an API token, limited to the rights of the token. Reads three items.
 * @throws InvalidApiKey for a malformed, unknown, ended or revoked token, or if it is of another account than `email`;
 * UserDeactivated
 */
export async function authenticateByToken(
  { text, email }: { text: string; email?: string },
  services: Services,
): Promise<Account> {
  const { table, clock } = services;
  const parsed = parseTokenText(text);
  if (!parsed) throw new InvalidApiKey('Malformed API key');
  const { userId, tokenId, digest } = parsed;
  const [token, user] = await Promise.all([findApiToken(table, userId, tokenId), findUser(table, userId)]);
  if (!token || !user || !isSameSecret(digest, token.digest)) throw new InvalidApiKey();
  const account = await findAccount(table, user.email);
  const nowSeconds = toSeconds(clock.nowMs());
  if (!account || !isValid(token, account, nowSeconds)) throw new InvalidApiKey();
  if (email !== undefined && email.toLowerCase() !== account.email.toLowerCase()) throw new InvalidApiKey();
  if (!account.isActive) throw new UserDeactivated();
  await noteTokenUse(services, token);
  return asTokenHolder(asOf(account, nowSeconds), token);
}
