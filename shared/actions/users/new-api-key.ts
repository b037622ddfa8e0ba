import { newKeyChange, type OpensSessions } from '#shared/domain/users/key.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { commit } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';

/**
 * Invalidates the API key of an account, also for waiting polls, and returns the next version. All sessions of
 * the account end, except the opened ones.
 * @throws Conflict when the account has changed since it was loaded
 */
export async function raiseKeyVersion(
  services: Services,
  account: Account,
  opens?: OpensSessions,
): Promise<number> {
  // Without the secret there is no next key; the present one then stays valid.
  await services.secret();
  const { change, keyVersion } = newKeyChange(account, opens);
  await commit(services, change);
  return keyVersion;
}
