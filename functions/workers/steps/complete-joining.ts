import { additionChange } from '#shared/actions/user-groups/group-members.ts';
import { arrivalChange, CHANNELS_PER_STEP } from '#shared/actions/users/create-person.ts';
import { type Change, mergeChanges } from '#shared/domain/change.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import { activityCheck, suspendedArrival } from '#shared/domain/subscriptions/align.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsById } from '#shared/store/channels/channels.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { getCurrentUser } from '#shared/store/users/current-user.ts';
import { loadPrincipal } from '#shared/store/users/principals.ts';

/**
 * Subscribes a new account to the channels that did not fit into its own transaction, then adds it to groups.
 * If it has been deactivated, both happen on reactivation.
 */
export async function completeJoining(
  services: Services,
  { userId, channelIds, groupIds }: JobPayloads['complete-joining'],
  step: number,
): Promise<Change | undefined> {
  const user = await getCurrentUser(services, userId);
  const channelSteps = Math.ceil(channelIds.length / CHANNELS_PER_STEP);
  const groupId = groupIds[step - channelSteps];
  const ids = channelIds.slice(step * CHANNELS_PER_STEP, (step + 1) * CHANNELS_PER_STEP);
  const change =
    groupId === undefined
      ? await arrival(services, user, ids)
      : await additionChange(services, groupId, user);
  if (!change) return undefined;
  // Channels of a deactivated user are announced after reactivation.
  const announced = user.isActive ? change : { ...change, events: [] };
  return mergeChanges(announced, { writes: [activityCheck({ user })] });
}

async function arrival({ table }: Services, user: User, channelIds: number[]): Promise<Change> {
  const principal = await loadPrincipal(table, user);
  if (user.isActive) return arrivalChange(table, await getOrganization(table), principal, channelIds);
  const channels = (await listChannelsById(table, channelIds)).filter(({ isArchived }) => !isArchived);
  return suspendedArrival(principal, channels);
}
