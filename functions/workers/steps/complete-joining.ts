import type { Change } from '#shared/domain/change.ts';
import { arrivalChange, CHANNELS_PER_STEP } from '#shared/log/create-person.ts';
import { getCurrentUser } from '#shared/log/current-user.ts';
import { additionChange } from '#shared/log/group-members.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { loadPrincipal } from '#shared/store/principals.ts';

interface Payload {
  userId: number;
  channelIds: number[];
  groupIds: number[];
}

/** Brings somebody who has joined into the channels that the account's own transaction had no room for, then into groups. */
export async function completeJoining(
  services: Services,
  { userId, channelIds, groupIds }: Payload,
  step: number,
): Promise<Change | undefined> {
  const { table } = services;
  const user = await getCurrentUser(services, userId);
  if (!user.isActive) return undefined;
  const channelSteps = Math.ceil(channelIds.length / CHANNELS_PER_STEP);
  const groupId = groupIds[step - channelSteps];
  if (groupId !== undefined) return additionChange(services, groupId, user);
  const ids = channelIds.slice(step * CHANNELS_PER_STEP, (step + 1) * CHANNELS_PER_STEP);
  const [organization, principal] = [await getOrganization(table), await loadPrincipal(table, user)];
  return arrivalChange(table, organization, principal, ids);
}
