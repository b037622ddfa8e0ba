import { newKeyChange } from '#shared/domain/users/key.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { commit } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';

/**
 * Invalidates the API key of an account, also for waiting polls, and returns the version of the next one.
 * @throws Conflict when the account has changed since it was loaded
 */
export async function raiseKeyVersion(services: Services, account: Account): Promise<number> {
  // Without the secret there is no next key; the present one then stays valid.
  await services.secret();
  const { change, keyVersion } = newKeyChange(account);
  await commit(services, change);
  return keyVersion;
}
