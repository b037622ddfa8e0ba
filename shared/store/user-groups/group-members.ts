import { reach } from '#shared/domain/user-groups/graph.ts';
import { isSystemGroup, systemGroups } from '#shared/domain/user-groups/group-setting.ts';
import {
  directSubgroupsOfSystemGroup,
  reachOfSystemGroup,
  systemGroupsOf,
} from '#shared/domain/user-groups/system-groups.ts';
import { asOf, type User } from '#shared/domain/users/user.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { listUsers, listUsersAmong } from '#shared/store/users/users.ts';
import type { Table } from '#shared/table/table.ts';
import { listDirectMemberIds } from './group-graph.ts';
import { getMadeGroup, listDirectGroups, loadBelow } from './groups.ts';

export interface Depth {
  /** Excludes members of subgroups. */
  isDirect: boolean;
}

/** The active users in a group, ascending by id. @throws BadRequest for an unknown group */
export async function listMemberIds(
  table: Table,
  groupId: number,
  depth: Depth,
  nowSeconds: number,
): Promise<number[]> {
  const reached = await listReached(table, groupId, depth);
  const ids = await listMembersOfMade(table, reached);
  const systemIds = reached.filter(isSystemGroup);
  const users = await listUsersAmong(table, systemIds.length > 0 ? undefined : [...ids]);
  const { settings } = await getOrganization(table);
  return users
    .map((user) => asOf(user, nowSeconds))
    .filter(
      (user) =>
        (user.isActive && ids.has(user.userId)) ||
        systemGroupsOf(user, settings.waiting_period_threshold).some((id) => systemIds.includes(id)),
    )
    .map(({ userId }) => userId);
}

/**
 * All members of some groups and their subgroups, including deactivated users. Users are read only if system
 * groups are below.
 */
export async function listEverybodyIn(
  table: Table,
  groupIds: number[],
  nowSeconds: number,
): Promise<number[]> {
  const groups = await loadBelow(table, groupIds);
  const reached = new Set(groupIds.flatMap((id) => [...reach(groups, id)]));
  const ids = await listMembersOfMade(table, [...reached]);
  const systemIds = new Set([...reached].filter(isSystemGroup).flatMap(reachOfSystemGroup));
  systemIds.delete(systemGroups.nobody);
  if (systemIds.size === 0) return [...ids];
  const [users, { settings }] = await Promise.all([listUsers(table), getOrganization(table)]);
  for (const user of users.map((member) => asOf(member, nowSeconds)))
    if (systemGroupsOf(user, settings.waiting_period_threshold).some((id) => systemIds.has(id)))
      ids.add(user.userId);
  return [...ids];
}

/** The direct members of the custom groups among these. */
async function listMembersOfMade(table: Table, groupIds: number[]): Promise<Set<number>> {
  const made = groupIds.filter((id) => !isSystemGroup(id));
  const direct = await mapConcurrently(made, (id) => listDirectMemberIds(table, id));
  return new Set(direct.flatMap((userIds) => [...userIds]));
}

/** The groups below a group, ascending by id. @throws BadRequest for an unknown group */
export async function listSubgroupIds(table: Table, groupId: number, { isDirect }: Depth): Promise<number[]> {
  if (isSystemGroup(groupId))
    return (isDirect ? directSubgroupsOfSystemGroup(groupId) : reachOfSystemGroup(groupId).slice(1)).sort(
      (a, b) => a - b,
    );
  const group = await getMadeGroup(table, groupId);
  if (isDirect) return [...group.subgroupIds];
  const reached = reach(await loadBelow(table, [groupId]), groupId);
  for (const id of [...reached].filter(isSystemGroup))
    for (const below of reachOfSystemGroup(id)) reached.add(below);
  reached.delete(groupId);
  return [...reached].sort((a, b) => a - b);
}

/** Whether an active user is in a group. @throws BadRequest for an unknown group */
export async function isMember(table: Table, user: User, groupId: number, depth: Depth): Promise<boolean> {
  const reached = await listReached(table, groupId, depth);
  if (!user.isActive) return false;
  const { settings } = await getOrganization(table);
  const ofOrganization = systemGroupsOf(user, settings.waiting_period_threshold);
  if (ofOrganization.some((id) => reached.includes(id))) return true;
  const direct = await listDirectGroups(
    table,
    user,
    reached.filter((id) => !isSystemGroup(id)),
  );
  return direct.size > 0;
}

/** The group and, unless only direct members count, all groups below it. */
async function listReached(table: Table, groupId: number, depth: Depth): Promise<number[]> {
  if (!depth.isDirect) return [groupId, ...(await listSubgroupIds(table, groupId, depth))];
  if (!isSystemGroup(groupId)) await getMadeGroup(table, groupId);
  return [groupId];
}
