import { deactivationChanges } from '#shared/domain/users/deactivate.ts';
import { asOf, type User } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { loadGroupKnowledge } from '#shared/store/group-knowledge.ts';
import { listOpenInvitationsOf } from '#shared/store/invitations.ts';
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
  const leaving = users.map((user) => asOf(user, nowSeconds));
  const invitations = await listOpenInvitationsOf(table, leaving.at(-1)?.userId ?? 0, nowSeconds);
  const ids = invitations.map(({ invitationId }) => invitationId);
  for (const change of deactivationChanges(leaving, otherOwner, groups, ids)) await commit(services, change);
}
