import { newKeyChange } from '#shared/domain/users/key.ts';
import type { Account } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import { commit } from './commit.ts';

/**
 * Makes the API key of an account worthless, also for polls that wait, and returns the version of the next one.
 * @throws StaleState when the account is not what was loaded
 */
export async function raiseKeyVersion(services: Services, account: Account): Promise<number> {
  const { change, keyVersion } = newKeyChange(account);
  await commit(services, change);
  return keyVersion;
}
