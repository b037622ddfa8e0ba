import { BadRequest } from '#shared/domain/errors.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getChannelView } from '#shared/store/channels/channels.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { transitChannel } from './channel-transition.ts';

/**
 * Decides whether new accounts are subscribed to a channel.
 * @throws BadRequest for a channel that the caller may not know, or that cannot be a default; Conflict
 */
export async function setDefaultChannel(
  services: Services,
  caller: User,
  channelId: number,
  isDefault: boolean,
): Promise<void> {
  const [{ channel }, organization] = await Promise.all([
    getChannelView(services.table, caller, channelId),
    getOrganization(services.table),
  ]);
  if (isDefault && channel.isArchived) throw new BadRequest('Invalid channel ID');
  if (isDefault && channel.isPrivate) throw new BadRequest('Private channels cannot be made default.');
  await transitChannel(services, { caller, organization, previous: channel, next: channel, isDefault });
}
