import { BadRequest } from '#shared/domain/errors.ts';
import { type GroupSetting, isInGroup } from '#shared/domain/groups/group-setting.ts';
import { type ChannelView, hasContentAccess } from '#shared/domain/messages/access.ts';
import type { OrganizationGroups } from '#shared/domain/organization/settings.ts';
import { isAdministrator, isGuest, type User } from '#shared/domain/users/user.ts';
import type { Channel } from './channel.ts';

/** Whether the user may know that the channel exists; `channelAudience` says the same of events. */
export function mayKnow(user: User, view: ChannelView): boolean {
  if (isAdministrator(user) || hasContentAccess(user, view) || mayJoin(user, view)) return true;
  return !isGuest(user) && mayAdminister(user, view);
}

/** Whether the user may come in without being added: everywhere for members that is public, else by its groups. */
export function mayJoin(user: User, { channel }: ChannelView): boolean {
  if (channel.isWebPublic) return true;
  if (isInGroup(user, channel.groups.can_subscribe_group)) return true;
  if (isGuest(user)) return false;
  return !channel.isPrivate || isInGroup(user, channel.groups.can_add_subscribers_group);
}

/** Whether the user may subscribe others: reads the channel, and is allowed to by the organization or the channel. */
export function mayAddOthers(user: User, view: ChannelView, organization: OrganizationGroups): boolean {
  if (isGuest(user)) return false;
  const { groups } = view.channel;
  const isAllowed =
    isInGroup(user, organization.can_add_subscribers_group) ||
    isInGroup(user, groups.can_add_subscribers_group) ||
    mayAdminister(user, view);
  return isAllowed && (hasContentAccess(user, view) || mayJoin(user, view));
}

export const mayAdminister = (user: User, { channel }: ChannelView): boolean =>
  isAdministrator(user) || isInGroup(user, channel.groups.can_administer_channel_group);

/** Whether the user may change the settings of the channel, as far as they do not ask for more. */
export const mayEdit = (user: User, view: ChannelView): boolean =>
  !isGuest(user) && mayAdminister(user, view) && mayKnow(user, view);

/** Whether the user reads the channel or could come in without being added. */
export const mayReachContent = (user: User, view: ChannelView): boolean =>
  hasContentAccess(user, view) || mayJoin(user, view);

/** Reference, "DELETE /users/me/subscriptions": who may remove another user. */
export function mayRemove(user: User, target: User, view: ChannelView): boolean {
  if (isAdministrator(user)) return true;
  if (target.botOwnerId === user.userId && hasContentAccess(user, view)) return true;
  const { groups } = view.channel;
  const isAllowed =
    isInGroup(user, groups.can_remove_subscribers_group) ||
    isInGroup(user, groups.can_administer_channel_group);
  return isAllowed && mayKnow(user, view);
}

export const mayCreate = (user: User, isPrivate: boolean, organization: OrganizationGroups): boolean =>
  isInGroup(
    user,
    isPrivate ? organization.can_create_private_channel_group : organization.can_create_public_channel_group,
  );

/** The settings of a channel that name groups: whoever asks about the channel must know of them first. */
export const groupSettingsOf = ({ groups }: Channel): GroupSetting[] => Object.values(groups);

/** @throws BadRequest where the caller may not archive the channel */
export function requireMayArchive(caller: User, view: ChannelView): void {
  if (!mayEdit(caller, view)) throw new BadRequest('Insufficient permission');
}
