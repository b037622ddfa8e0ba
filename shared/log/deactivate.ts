import { rowsToSuspend } from '#shared/domain/subscriptions/suspend.ts';
import { deactivationChanges } from '#shared/domain/users/deactivate.ts';
import type { User } from '#shared/domain/users/user.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listSubscriptions } from '#shared/store/subscriptions.ts';
import { commit } from './commit.ts';

/** Deactivates users, bots before the one to whom they belong; their subscriptions follow as jobs. */
export async function deactivate(
  services: Services,
  users: User[],
  otherOwner: User | undefined,
): Promise<void> {
  const rows = await mapConcurrently(users, async ({ userId }) =>
    rowsToSuspend(userId, await listSubscriptions(services.table, userId)),
  );
  for (const change of deactivationChanges(users, rows.flat(), otherOwner)) await commit(services, change);
}
