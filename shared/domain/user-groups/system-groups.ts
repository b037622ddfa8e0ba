import { type Role, roles, type User } from '#shared/domain/users/user.ts';
import { type GroupRecord, groupGroupSettings } from './group.ts';
import { systemGroups } from './group-setting.ts';
import { systemGroupNames } from './permission-rules.ts';

/** The facts about a user that decide which system groups they are in. */
export type Standing = Pick<User, 'role' | 'isActive' | 'isSystemBot' | 'ageSeconds'>;

const DAY_SECONDS = 24 * 3600;

/** Whether the account is older than the waiting period for new members. */
export const isPastWaitingPeriod = ({ ageSeconds = 0 }: Standing, waitingPeriodDays: number): boolean =>
  ageSeconds >= waitingPeriodDays * DAY_SECONDS;

/** Anonymous callers are in no group. */
const groupOfRole: Partial<Record<Role, number>> = {
  [roles.owner]: systemGroups.owners,
  [roles.administrator]: systemGroups.administrators,
  [roles.moderator]: systemGroups.moderators,
  [roles.member]: systemGroups.members,
  [roles.guest]: systemGroups.everyone,
};

/**
 * The system groups of which the user is a direct member, by id: that of their role, and full members after
 * the waiting period. Deactivated users and the service's own bots are in none.
 */
export function systemGroupsOf(user: Standing, waitingPeriodDays: number): number[] {
  if (!user.isActive || user.isSystemBot) return [];
  const isFullMember = user.role === roles.member && isPastWaitingPeriod(user, waitingPeriodDays);
  const ofRole = groupOfRole[user.role];
  return [...(isFullMember ? [systemGroups.fullMembers] : []), ...(ofRole === undefined ? [] : [ofRole])];
}

interface Description {
  text: string;
  subgroupIds: number[];
}

const descriptions: Record<number, Description> = {
  [systemGroups.nobody]: { text: 'Nobody', subgroupIds: [] },
  [systemGroups.owners]: { text: 'Owners of this organization', subgroupIds: [] },
  [systemGroups.administrators]: {
    text: 'Administrators of this organization, including owners',
    subgroupIds: [systemGroups.owners],
  },
  [systemGroups.moderators]: {
    text: 'Moderators of this organization, including administrators',
    subgroupIds: [systemGroups.administrators],
  },
  [systemGroups.fullMembers]: {
    text: 'Members of this organization, not including new accounts and guests',
    subgroupIds: [systemGroups.moderators],
  },
  [systemGroups.members]: {
    text: 'Members of this organization, not including guests',
    subgroupIds: [systemGroups.fullMembers],
  },
  [systemGroups.everyone]: {
    text: 'Everyone in this organization, including guests',
    subgroupIds: [systemGroups.members],
  },
  [systemGroups.internet]: { text: 'Everyone on the Internet', subgroupIds: [systemGroups.everyone] },
};

/** A system group and all groups below it. */
export const reachOfSystemGroup = (groupId: number): number[] => [
  groupId,
  ...(descriptions[groupId]?.subgroupIds ?? []).flatMap(reachOfSystemGroup),
];

export const directSubgroupsOfSystemGroup = (groupId: number): number[] =>
  descriptions[groupId]?.subgroupIds ?? [];

/** The records of the system groups, ascending by id, with their direct members. */
export function systemGroupRecords(
  users: (Standing & Pick<User, 'userId'>)[],
  { waitingPeriodDays, createdAtSeconds }: { waitingPeriodDays: number; createdAtSeconds: number },
): GroupRecord[] {
  const members = new Map<number, number[]>(Object.values(systemGroups).map((id) => [id, []]));
  for (const user of users)
    for (const groupId of systemGroupsOf(user, waitingPeriodDays)) members.get(groupId)?.push(user.userId);
  const nobody = Object.fromEntries(groupGroupSettings.map((name) => [name, systemGroups.nobody]));
  return [...members].map(([id, userIds]) => ({
    id,
    name: systemGroupNames[id] ?? '',
    description: descriptions[id]?.text ?? '',
    members: userIds.sort((a, b) => a - b),
    direct_subgroup_ids: directSubgroupsOfSystemGroup(id),
    is_system_group: true,
    creator_id: null,
    date_created: createdAtSeconds,
    deactivated: false,
    ...(nobody as Record<(typeof groupGroupSettings)[number], number>),
  }));
}
