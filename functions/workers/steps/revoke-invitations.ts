import { commitAllButLast } from '#shared/actions/messages/finish-step.ts';
import type { Change } from '#shared/domain/change.ts';
import { endChange, inBatches } from '#shared/domain/invitations/changes.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listOpenInvitationsOf } from '#shared/store/invitations.ts';
import { getUser } from '#shared/store/users/users.ts';

/** Revokes the open invitations of a deactivated inviter. After a reactivation, newer invitations stay. */
export async function revokeInvitations(
  services: Services,
  { userId, invitationIds }: JobPayloads['revoke-invitations'],
): Promise<Change | undefined> {
  const { table, clock } = services;
  const { isActive } = await getUser(table, userId);
  const open = await listOpenInvitationsOf(table, userId, toSeconds(clock.nowMs()));
  const revoked = isActive
    ? open.filter((invitation) => invitationIds.includes(invitation.invitationId))
    : open;
  const changes = inBatches(revoked).map(endChange);
  return commitAllButLast(services, changes);
}
