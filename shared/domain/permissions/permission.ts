import type { ChannelGroupSetting } from '#shared/domain/channels/channel.ts';
import type { OrganizationGroupSetting } from '#shared/domain/organization/settings.ts';
import type { GroupGroupSetting } from '#shared/domain/user-groups/group.ts';
import { type GroupSetting, isInGroup } from '#shared/domain/user-groups/group-setting.ts';
import { isGuest, type Role, type User } from '#shared/domain/users/user.ts';

/** The caller's relation to an object, besides roles and groups. */
export type Relation =
  | 'addedEmoji'
  | 'administersAsMember'
  | 'isOneself'
  | 'knowsChannel'
  | 'ownsBot'
  | 'reachesContent'
  | 'readsChannel'
  | 'sentMessage';

/** One way to hold a permission. */
export type Right =
  /** This role or a higher one. */
  | { role: Role }
  /** Membership in the group named by a setting of the organization, the channel or the user group. */
  | { organization: OrganizationGroupSetting }
  | { channel: ChannelGroupSetting }
  | { group: GroupGroupSetting }
  | { relation: Relation };

/** A permission: the caller needs one of the rights and all additional requirements. */
export interface Permission {
  anyOf: readonly Right[];
  required?: readonly Relation[];
  /** Excludes guests, whatever their groups. */
  isForMembers?: true;
}

/** The settings that apply, and the caller's relation to the object. */
export interface Standing {
  organization?: Record<OrganizationGroupSetting, GroupSetting>;
  channel?: Record<ChannelGroupSetting, GroupSetting>;
  group?: Record<GroupGroupSetting, GroupSetting>;
  relations?: Partial<Record<Relation, boolean>>;
}

/**
 * The only function that decides permissions. Memberships in custom groups must be loaded; unknown
 * memberships grant nothing.
 */
export function isPermitted(user: User, permission: Permission, standing: Standing): boolean {
  const { anyOf, required = [], isForMembers } = permission;
  if (isForMembers && isGuest(user)) return false;
  return (
    anyOf.some((right) => holds(user, right, standing)) &&
    required.every((relation) => standing.relations?.[relation] === true)
  );
}

function holds(user: User, right: Right, { organization, channel, group, relations }: Standing): boolean {
  if ('role' in right) return user.role <= right.role;
  if ('relation' in right) return relations?.[right.relation] === true;
  const setting =
    'organization' in right
      ? organization?.[right.organization]
      : 'channel' in right
        ? channel?.[right.channel]
        : group?.[right.group];
  return setting !== undefined && isInGroup(user, setting);
}
