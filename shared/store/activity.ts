import { dayOf } from '#shared/domain/users/activity.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, type Table, TransactionCanceled } from '#shared/table/table.ts';

/** Remembers that the user was active today: two writes at the first time of a day, then none. */
export async function rememberActive(table: Table, account: Account, nowSeconds: number): Promise<void> {
  const lastActiveDay = dayOf(nowSeconds);
  if (account.lastActiveDay === lastActiveDay) return;
  for (const key of [keys.user(account.userId), keys.account(account.email)])
    try {
      const condition = { exists: true, belowOrAbsent: { lastActiveDay } };
      await table.write({ kind: 'update', key, set: { lastActiveDay }, condition });
    } catch (failure) {
      // Somebody was faster, or is just changing the account; the next call of the day comes again.
      if (!(failure instanceof ConditionFailed || failure instanceof TransactionCanceled)) throw failure;
    }
}
