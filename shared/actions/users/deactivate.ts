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
 * Deactivates users, bots before their owner. Jobs end their subscriptions and invitations, and delete
 * earlier messages if the administrator asked for it.
 */
export async function deactivate(
  services: Services,
  users: User[],
  otherOwner: User | undefined,
  cleanUp = nothing,
): Promise<void> {
  const { table, clock } = services;
  const nowSeconds = toSeconds(clock.nowMs());
  const groups = await loadGroupKnowledge(table);
  const leaving: User[] = [];
  for (const user of users)
    leaving.push(asOf(cleanUp.deletesProfile ? await deleteProfile(services, user) : user, nowSeconds));
  const invitations = await listOpenInvitationsOf(table, leaving.at(-1)?.userId ?? 0, nowSeconds);
  const ids = invitations.map(({ invitationId }) => invitationId);
  const jobs = await planCleanUp(services, leaving, cleanUp);
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
  users: User[],
  { deletes, notice }: CleanUp,
): Promise<Job[]> {
  const target = users.at(-1);
  const isTold = notice !== undefined && target !== undefined && config.mailSender !== undefined;
  return [
    ...deletionJobs(users, deletes, await readCounter(table)),
    ...(isTold ? [deactivationNotice(target, notice.comment)] : []),
  ];
}
