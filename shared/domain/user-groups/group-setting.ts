import type { TextKey } from '#shared/domain/texts/texts.ts';
import { type Role, roles, type User } from '#shared/domain/users/user.ts';

/**
 * A group-setting value of the protocol: the id of a user group, or an anonymous group of users and groups.
 */
export type GroupSetting = number | { direct_members: number[]; direct_subgroups: number[] };

/** The system groups, by id. */
export const systemGroups = {
  nobody: 1,
  owners: 2,
  administrators: 3,
  moderators: 4,
  fullMembers: 5,
  members: 6,
  everyone: 7,
  internet: 8,
} as const;

/** The texts with their display names. */
export const systemGroupTitles = [
  [systemGroups.nobody, 'groups.nobody'],
  [systemGroups.owners, 'groups.owners'],
  [systemGroups.administrators, 'groups.administrators'],
  [systemGroups.moderators, 'groups.moderators'],
  [systemGroups.fullMembers, 'groups.fullMembers'],
  [systemGroups.members, 'groups.members'],
  [systemGroups.everyone, 'groups.everyone'],
] as const satisfies [groupId: number, key: TextKey][];

/** The lowest role that belongs to a system group. */
const leastRoleOf: Record<number, Role> = {
  [systemGroups.owners]: roles.owner,
  [systemGroups.administrators]: roles.administrator,
  [systemGroups.moderators]: roles.moderator,
  [systemGroups.members]: roles.member,
  [systemGroups.everyone]: roles.guest,
  [systemGroups.internet]: roles.guest,
};

export const isSystemGroup = (id: number): boolean =>
  id >= systemGroups.nobody && id <= systemGroups.internet;

/**
 * Whether the user is in a group named by a setting. Roles decide about system groups; for custom groups and
 * full members, memberships must be loaded before (`learnMemberships`). Unknown memberships grant nothing.
 */
export function isInGroup(user: User, setting: GroupSetting): boolean {
  if (typeof setting !== 'number')
    return (
      setting.direct_members.includes(user.userId) ||
      setting.direct_subgroups.some((groupId) => isInGroup(user, groupId))
    );
  const leastRole = leastRoleOf[setting];
  if (leastRole !== undefined) return user.role <= leastRole;
  if (setting === systemGroups.fullMembers && user.role <= roles.moderator) return true;
  return user.memberships?.get(setting) ?? false;
}

/** The groups that a setting names. */
export const groupIdsOf = (setting: GroupSetting): number[] =>
  typeof setting === 'number' ? [setting] : setting.direct_subgroups;

/**
 * The stored form: an empty set becomes the system group `role:nobody`, and a single group becomes its id.
 */
export function normalizeGroupSetting(setting: GroupSetting): GroupSetting {
  if (typeof setting === 'number') return setting;
  const members = [...new Set(setting.direct_members)].sort((a, b) => a - b);
  const subgroups = [...new Set(setting.direct_subgroups)].sort((a, b) => a - b);
  const [onlyGroup] = subgroups;
  if (members.length === 0 && subgroups.length <= 1) return onlyGroup ?? systemGroups.nobody;
  return { direct_members: members, direct_subgroups: subgroups };
}

/** The existing, active users and groups. */
export interface KnownNames {
  userIds: Set<number>;
  /** Active groups only. */
  groupIds: Set<number>;
  deactivatedGroupIds: Set<number>;
}

/** Whether two normalized settings are equal; their members are sorted. */
export const isSameSetting = (groupSetting: GroupSetting, other: GroupSetting): boolean =>
  typeof groupSetting === 'number' || typeof other === 'number'
    ? groupSetting === other
    : String(groupSetting.direct_members) === String(other.direct_members) &&
      String(groupSetting.direct_subgroups) === String(other.direct_subgroups);
