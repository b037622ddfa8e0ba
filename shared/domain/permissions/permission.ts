import type { ChannelGroupSetting } from '#shared/domain/channels/channel.ts';
import type { GroupGroupSetting } from '#shared/domain/groups/group.ts';
import { type GroupSetting, isInGroup } from '#shared/domain/groups/group-setting.ts';
import type { OrganizationGroupSetting } from '#shared/domain/organization/settings.ts';
import { isGuest, type Role, type User } from '#shared/domain/users/user.ts';

/** How somebody may stand to what they ask for, beside roles and groups. */
export type Relation =
  | 'addedEmoji'
  | 'administersAsMember'
  | 'isOneself'
  | 'knowsChannel'
  | 'ownsBot'
  | 'reachesContent'
  | 'readsChannel'
  | 'sentMessage';

/** One thing that makes a permission. */
export type Right =
  /** This role or a higher one. */
  | { role: Role }
  /** Belonging to the group that a setting names: of the organization, the channel or the user group in question. */
  | { organization: OrganizationGroupSetting }
  | { channel: ChannelGroupSetting }
  | { group: GroupGroupSetting }
  | { relation: Relation };

/** Who may do something: whoever has one of the rights and everything that is required beside. */
export interface Permission {
  anyOf: readonly Right[];
  required?: readonly Relation[];
  /** Guests never, whatever groups they are in. */
  isForMembers?: true;
}

/** Where somebody stands when they ask: the settings that count, and their relation to the object. */
export interface Standing {
  organization?: Record<OrganizationGroupSetting, GroupSetting>;
  channel?: Record<ChannelGroupSetting, GroupSetting>;
  group?: Record<GroupGroupSetting, GroupSetting>;
  relations?: Partial<Record<Relation, boolean>>;
}

/**
 * The one function that decides what somebody may do. Memberships in groups that people made must have been learned;
 * what is not known is not granted.
 */
export function isPermitted(user: User, permission: Permission, standing: Standing): boolean {
  const { anyOf, required = [], isForMembers } = permission;
  if (isForMembers && isGuest(user)) return false;
  return (
    anyOf.some((right) => holds(user, right, standing)) &&
    required.every((relation) => standing.relations?.[relation] ?? false)
  );
}

function holds(user: User, right: Right, { organization, channel, group, relations }: Standing): boolean {
  if ('role' in right) return user.role <= right.role;
  if ('relation' in right) return relations?.[right.relation] ?? false;
  const setting =
    'organization' in right
      ? organization?.[right.organization]
      : 'channel' in right
        ? channel?.[right.channel]
        : group?.[right.group];
  return setting !== undefined && isInGroup(user, setting);
}
