import type { Change } from '#shared/domain/change.ts';
import { endChange, inBatches } from '#shared/domain/invitations/changes.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listOpenInvitationsOf } from '#shared/store/invitations.ts';
import { getUser } from '#shared/store/users.ts';

interface Payload {
  userId: number;
  /** Those that were open when the inviter was deactivated. */
  invitationIds: number[];
}

/**
 * Takes back the open invitations of an inviter who was deactivated. One who is active again keeps those that they made
 * since.
 */
export async function revokeInvitations(
  services: Services,
  { userId, invitationIds }: Payload,
): Promise<Change | undefined> {
  const { table, clock } = services;
  const { isActive } = await getUser(table, userId);
  const open = await listOpenInvitationsOf(table, userId, toSeconds(clock.nowMs()));
  const revoked = isActive ? open.filter((one) => invitationIds.includes(one.invitationId)) : open;
  const changes = inBatches(revoked).map(endChange);
  const last = changes.pop();
  for (const change of changes) await commit(services, change);
  return last;
}
