import type { Job } from '#shared/domain/jobs.ts';
import {
  type CleanUp,
  deactivationNotice,
  deletionJobs,
  profileDeletion,
} from '#shared/domain/users/clean-up.ts';
import { deactivationChanges } from '#shared/domain/users/deactivate.ts';
import { asOf, type User } from '#shared/domain/users/user.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listOpenInvitationsOf } from '#shared/store/invitations.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { loadGroupKnowledge } from '#shared/store/visibility/group-knowledge.ts';

const nothing: CleanUp = {
  deletesProfile: false,
  deletes: { inPublicChannels: false, inPrivateChannels: false, direct: false },
  notice: undefined,
};

/**
 * Deactivates a user after their active bots. Jobs end their subscriptions and invitations, and delete earlier
 * messages of all these accounts, and of bots deactivated before, if the administrator requests it.
 */
export async function deactivate(
  services: Services,
  target: User,
  bots: User[],
  otherOwner: User | undefined,
  cleanUp = nothing,
): Promise<void> {
  const { table, clock } = services;
  const nowSeconds = toSeconds(clock.nowMs());
  const groups = await loadGroupKnowledge(table);
  const leaving: User[] = [];
  for (const user of [...bots.filter(({ isActive }) => isActive), target])
    leaving.push(asOf(cleanUp.deletesProfile ? await deleteProfile(services, user) : user, nowSeconds));
  const invitations = await listOpenInvitationsOf(table, target.userId, nowSeconds);
  const ids = invitations.map(({ invitationId }) => invitationId);
  const jobs = await planCleanUp(services, target, bots, cleanUp);
  for (const change of deactivationChanges(leaving, otherOwner, groups, ids, jobs))
    await commit(services, change);
}

/** The user without name and picture. */
async function deleteProfile(services: Services, user: User): Promise<User> {
  const deletion = profileDeletion(user, await getOrganization(services.table));
  if (!deletion) return user;
  await commit(services, deletion.change);
  return deletion.left;
}

async function planCleanUp(
  { table, config }: Services,
  target: User,
  bots: User[],
  { deletes, notice }: CleanUp,
): Promise<Job[]> {
  const isNotified = notice !== undefined && config.mailSender !== undefined;
  return [
    ...deletionJobs([...bots, target], deletes, await readCounter(table)),
    ...(isNotified ? [deactivationNotice(target, notice.comment)] : []),
  ];
}
