import { rowsToRevoke } from '#shared/domain/invitations/changes.ts';
import { rowsToSuspend } from '#shared/domain/subscriptions/suspend.ts';
import { deactivationChanges } from '#shared/domain/users/deactivate.ts';
import { asOf, type User } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { loadGroupKnowledge } from '#shared/store/group-knowledge.ts';
import { listOpenInvitations } from '#shared/store/invitations.ts';
import { listSubscriptions } from '#shared/store/subscriptions.ts';
import { commit } from './commit.ts';

/** Deactivates users, bots before the one to whom they belong; their subscriptions and invitations follow as jobs. */
export async function deactivate(
  services: Services,
  users: User[],
  otherOwner: User | undefined,
): Promise<void> {
  const { table, clock } = services;
  const nowSeconds = toSeconds(clock.nowMs());
  const groups = await loadGroupKnowledge(table);
  const rows = await mapConcurrently(users, async ({ userId }) =>
    rowsToSuspend(userId, await listSubscriptions(table, userId)),
  );
  const leaving = users.map((user) => asOf(user, nowSeconds));
  const revoked = rowsToRevoke(users, await listOpenInvitations(table, nowSeconds));
  for (const change of deactivationChanges(leaving, rows.flat(), otherOwner, groups, revoked))
    await commit(services, change);
}
