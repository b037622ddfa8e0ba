import type { Account } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import { StaleState } from './commit.ts';

/**
 * Makes the API key of an account worthless and returns the version of the next one. One write.
 * @throws StaleState when the account is not what was loaded
 */
export async function raiseKeyVersion({ table }: Services, account: Account): Promise<number> {
  const { userId, keyVersion } = account;
  try {
    await table.write({
      kind: 'update',
      key: keys.account(account.email),
      set: { keyVersion: keyVersion + 1 },
      condition: { equals: { userId, keyVersion } },
    });
  } catch (failure) {
    if (failure instanceof ConditionFailed) throw new StaleState();
    throw failure;
  }
  return keyVersion + 1;
}
