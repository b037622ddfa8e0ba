import { dayOf } from '#shared/domain/users/activity.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { ConditionFailed, type Table, TransactionCanceled } from '#shared/table/table.ts';

/** Records that the user was active today: two writes once a day, otherwise none. */
export async function rememberActive(table: Table, account: Account, nowSeconds: number): Promise<void> {
  const lastActiveDay = dayOf(nowSeconds);
  if (account.lastActiveDay === lastActiveDay) return;
  for (const key of [userKeys.user(account.userId), userKeys.account(account.email)])
    try {
      const condition = { exists: true, belowOrAbsent: { lastActiveDay } };
      await table.write({ kind: 'update', key, set: { lastActiveDay }, condition });
    } catch (failure) {
      // A concurrent change; the user's next call of the day tries again.
      if (!(failure instanceof ConditionFailed || failure instanceof TransactionCanceled)) throw failure;
    }
}
