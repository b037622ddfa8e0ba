import { BadRequest } from '#shared/domain/errors.ts';
import type { ChannelView } from '#shared/domain/messages/access.ts';
import type { OrganizationGroups } from '#shared/domain/organization/settings.ts';
import { isPermitted } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import { isSubscribed } from '#shared/domain/subscriptions/subscription.ts';
import type { GroupSetting } from '#shared/domain/user-groups/group-setting.ts';
import { isGuest, reachesChannel, type User } from '#shared/domain/users/user.ts';
import type { Channel } from './channel.ts';

/** Whether the user may know that the channel exists; `channelAudience` is the same rule for events. */
export const mayKnow = (user: User, view: ChannelView): boolean =>
  reachesChannel(user, view.channel.channelId) &&
  isPermitted(user, permissions.knowChannel, {
    relations: {
      reachesContent: mayReachContent(user, view),
      administersAsMember: !isGuest(user) && mayAdminister(user, view),
    },
  });

/**
 * Whether the user may subscribe without being added: members to public channels, others through the
 * channel's groups.
 */
export function mayJoin(user: User, { channel }: ChannelView): boolean {
  const standing = { channel: channel.groups };
  if (channel.isWebPublic || isPermitted(user, permissions.joinChannel, standing)) return true;
  if (!channel.isPrivate) return !isGuest(user);
  return isPermitted(user, permissions.joinPrivateChannel, standing);
}

/** Whether the user may read new messages of the channel: subscribers, and members if it is public. */
export function hasContentAccess(user: User, { channel, subscription }: ChannelView): boolean {
  if (!reachesChannel(user, channel.channelId)) return false;
  if (channel.isWebPublic || isSubscribed(subscription)) return true;
  return !channel.isPrivate && !isGuest(user);
}

/** Whether the user reads the channel or could subscribe without being added. */
export const mayReachContent = (user: User, view: ChannelView): boolean =>
  hasContentAccess(user, view) || mayJoin(user, view);

/** Whether the user may subscribe others. */
export const mayAddOthers = (user: User, view: ChannelView, organization: OrganizationGroups): boolean =>
  isPermitted(user, permissions.addSubscribers, {
    organization,
    channel: view.channel.groups,
    relations: { reachesContent: mayReachContent(user, view) },
  });

const mayAdminister = (user: User, { channel }: ChannelView): boolean =>
  isPermitted(user, permissions.administerChannel, { channel: channel.groups });

/** Whether the user may change the channel's settings that require no further right. */
export const mayEdit = (user: User, view: ChannelView): boolean =>
  isPermitted(user, permissions.editChannel, {
    channel: view.channel.groups,
    relations: { knowsChannel: mayKnow(user, view) },
  });

/** Who may remove another user (reference, "DELETE /users/me/subscriptions"). */
export function mayRemove(user: User, target: User, view: ChannelView): boolean {
  const standing = {
    channel: view.channel.groups,
    relations: {
      knowsChannel: mayKnow(user, view),
      readsChannel: hasContentAccess(user, view),
      ownsBot: target.botOwnerId === user.userId,
    },
  };
  return [permissions.removeSubscribers, permissions.removeOwnBot].some((permission) =>
    isPermitted(user, permission, standing),
  );
}

export const mayCreate = (user: User, isPrivate: boolean, organization: OrganizationGroups): boolean =>
  isPermitted(user, isPrivate ? permissions.createPrivateChannel : permissions.createPublicChannel, {
    organization,
  });

/** The group settings of a channel; load the asking user's membership in these groups first. */
export const groupSettingsOf = ({ groups }: Channel): GroupSetting[] => Object.values(groups);

/** @throws BadRequest when the caller may not archive the channel */
export function requireMayArchive(caller: User, view: ChannelView): void {
  if (!mayEdit(caller, view)) throw new BadRequest('Insufficient permission');
}
