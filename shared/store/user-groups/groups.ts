import { BadRequest } from '#shared/domain/errors.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { belongsTo } from '#shared/domain/user-groups/graph.ts';
import type { Group } from '#shared/domain/user-groups/group.ts';
import {
  type GroupSetting,
  groupIdsOf,
  isSystemGroup,
  type KnownNames,
  systemGroups,
} from '#shared/domain/user-groups/group-setting.ts';
import { isPastWaitingPeriod } from '#shared/domain/user-groups/system-groups.ts';
import { roles, type User } from '#shared/domain/users/user.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { listUsersAmong } from '#shared/store/users/users.ts';
import { groupKeys } from '#shared/table/keys/groups.ts';
import { leadingId, memberChunkOf } from '#shared/table/keys/key.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { type Item, recordOf, type Table } from '#shared/table/table.ts';

const toGroup = (item: Item): Group => recordOf<Group>(item);

/** The existing groups with these ids, unordered. */
export async function listGroupsById(table: Table, groupIds: number[]): Promise<Group[]> {
  const items = await table.findMany([...new Set(groupIds)].map(groupKeys.group));
  return items.map(toGroup);
}

/**
 * A custom group, deactivated or not.
 * @throws BadRequest for an unknown group and for system groups, which cannot be edited
 */
export async function getMadeGroup(table: Table, groupId: number): Promise<Group> {
  if (isSystemGroup(groupId)) throw new BadRequest('Insufficient permission');
  const [group] = await listGroupsById(table, [groupId]);
  if (!group) throw new BadRequest('Invalid user group');
  return group;
}

/**
 * Loads the user's memberships in the groups that settings name, direct or through subgroups, for
 * `isInGroup`. Reads nothing if roles decide; otherwise the subgroups and one item of members per group, and
 * the organization if there is a waiting period for members.
 */
export async function learnMemberships(table: Table, user: User, settings: GroupSetting[]): Promise<void> {
  user.memberships ??= new Map();
  const { memberships } = user;
  const asked = new Set(settings.flatMap(groupIdsOf).filter((id) => !memberships.has(id)));
  const groups = await loadBelow(table, [...asked]);
  const reached = new Set([...asked, ...[...groups.values()].flatMap(({ subgroupIds }) => subgroupIds)]);
  if (reached.has(systemGroups.fullMembers) && user.role === roles.member)
    memberships.set(systemGroups.fullMembers, await hasWaited(table, user));
  const direct = await listDirectGroups(table, user, [...groups.keys()]);
  for (const groupId of groups.keys()) memberships.set(groupId, belongsTo(user, groupId, groups, direct));
}

/** The custom groups with these ids, and all groups below them. */
export async function loadBelow(table: Table, groupIds: number[]): Promise<Map<number, Group>> {
  const groups = new Map<number, Group>();
  let missing = groupIds.filter((id) => !isSystemGroup(id));
  while (missing.length > 0) {
    for (const group of await listGroupsById(table, missing)) groups.set(group.groupId, group);
    const below = [...groups.values()].flatMap(({ subgroupIds }) => subgroupIds);
    missing = below.filter((id) => !isSystemGroup(id) && !groups.has(id) && !missing.includes(id));
  }
  return groups;
}

/** The groups of which the user is a direct member. One item of members per group. */
export async function listDirectGroups(
  table: Table,
  { userId }: User,
  groupIds: number[],
): Promise<Set<number>> {
  const chunk = memberChunkOf(userId);
  const items = await table.findMany(groupIds.map((groupId) => groupKeys.members(groupId, chunk)));
  return new Set(
    items
      .filter(({ userIds }) => (userIds as Set<number> | undefined)?.has(userId))
      .map(({ sk }) => leadingId(String(sk))),
  );
}

async function hasWaited(table: Table, user: User): Promise<boolean> {
  const { settings } = await getOrganization(table);
  return isPastWaitingPeriod(user, settings.waiting_period_threshold);
}

/** The existing users and active groups that settings name. */
export async function listNamed(table: Table, settings: GroupSetting[]): Promise<KnownNames> {
  const userIds = settings.flatMap((value) => (typeof value === 'number' ? [] : value.direct_members));
  const groupIds = settings.flatMap(groupIdsOf).filter((id) => !isSystemGroup(id));
  const [users, groups] = await Promise.all([
    listUsersAmong(table, userIds),
    listGroupsById(table, groupIds),
  ]);
  return {
    userIds: new Set(users.map(({ userId }) => userId)),
    groupIds: new Set(groups.filter(({ isDeactivated }) => !isDeactivated).map(({ groupId }) => groupId)),
    deactivatedGroupIds: new Set(
      groups.filter(({ isDeactivated }) => isDeactivated).map(({ groupId }) => groupId),
    ),
  };
}

/** The id of the next custom group, above the ids of the system groups. */
export const nextGroupId = async (table: Table): Promise<number> =>
  systemGroups.internet + (await table.increment(organizationKeys.counter('group'), 'id'));

/**
 * @throws BadRequest when another group has the name in any letter case and composition, deactivated or not
 */
export async function requireFreeName(table: Table, name: string): Promise<void> {
  if (await table.find(groupKeys.name(toCanonical(name))))
    throw new BadRequest(`User group '${name}' already exists.`);
}
