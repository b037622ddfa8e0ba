import type { Group } from '#shared/domain/groups/group.ts';
import {
  type GroupSetting,
  groupIdsOf,
  isInGroup,
  isSystemGroup,
  type KnownNames,
  systemGroups,
} from '#shared/domain/groups/group-setting.ts';
import { roles, type User } from '#shared/domain/users/user.ts';
import { groupOfMembers, keys, memberChunkOf } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { getOrganization } from './organization.ts';
import { listUsersById } from './users.ts';

const toGroup = (item: Item): Group => item as unknown as Group;

/** The groups with these ids that exist, in no particular order. */
export async function listGroupsById(table: Table, groupIds: number[]): Promise<Group[]> {
  const items = await table.findMany([...new Set(groupIds)].map(keys.group));
  return items.map(toGroup);
}

/**
 * Finds out whether the user belongs to the groups that settings name, directly or through subgroups, so that
 * `isInGroup` can tell. Reads nothing where roles decide; else the groups below those named and one item of members of
 * each, and the organization where new members are waiting.
 */
export async function learnMemberships(table: Table, user: User, settings: GroupSetting[]): Promise<void> {
  user.memberships ??= new Map();
  const { memberships } = user;
  const asked = new Set(settings.flatMap(groupIdsOf).filter((id) => !memberships.has(id)));
  const groups = await loadBelow(
    table,
    [...asked].filter((id) => !isSystemGroup(id)),
  );
  const reached = new Set([...asked, ...[...groups.values()].flatMap(({ subgroupIds }) => subgroupIds)]);
  if (reached.has(systemGroups.fullMembers) && user.role === roles.member)
    memberships.set(systemGroups.fullMembers, await hasWaited(table, user));
  const direct = await listDirectGroups(table, user, [...groups.keys()]);
  for (const groupId of groups.keys()) memberships.set(groupId, belongs(user, groupId, { groups, direct }));
}

/** The groups with these ids and everything below them. */
async function loadBelow(table: Table, groupIds: number[]): Promise<Map<number, Group>> {
  const groups = new Map<number, Group>();
  let missing = groupIds;
  while (missing.length > 0) {
    for (const group of await listGroupsById(table, missing)) groups.set(group.groupId, group);
    const below = [...groups.values()].flatMap(({ subgroupIds }) => subgroupIds);
    missing = below.filter((id) => !isSystemGroup(id) && !groups.has(id) && !missing.includes(id));
  }
  return groups;
}

async function listDirectGroups(table: Table, { userId }: User, groupIds: number[]): Promise<Set<number>> {
  const chunk = memberChunkOf(userId);
  const items = await table.findMany(groupIds.map((groupId) => keys.groupMembers(groupId, chunk)));
  return new Set(
    items
      .filter(({ userIds }) => (userIds as Set<number> | undefined)?.has(userId))
      .map(({ sk }) => groupOfMembers(String(sk))),
  );
}

interface Known {
  groups: Map<number, Group>;
  /** Groups of which the user is a member themselves. */
  direct: Set<number>;
}

function belongs(user: User, groupId: number, known: Known, seen: ReadonlySet<number> = new Set()): boolean {
  if (isSystemGroup(groupId)) return isInGroup(user, groupId);
  if (known.direct.has(groupId)) return true;
  const below = (known.groups.get(groupId)?.subgroupIds ?? []).filter((id) => !seen.has(id));
  return below.some((id) => belongs(user, id, known, new Set([...seen, groupId])));
}

const DAY_SECONDS = 24 * 3600;

/** Whether the account is older than the time for which the organization calls members new. */
async function hasWaited(table: Table, { ageSeconds = 0 }: User): Promise<boolean> {
  const { settings } = await getOrganization(table);
  return ageSeconds >= settings.waiting_period_threshold * DAY_SECONDS;
}

/** The users and the active groups that exist among those that settings name. */
export async function listNamed(table: Table, settings: GroupSetting[]): Promise<KnownNames> {
  const userIds = settings.flatMap((value) => (typeof value === 'number' ? [] : value.direct_members));
  const groupIds = settings.flatMap(groupIdsOf).filter((id) => !isSystemGroup(id));
  const [users, groups] = await Promise.all([listUsersById(table, userIds), listGroupsById(table, groupIds)]);
  return {
    userIds: new Set(users.map(({ userId }) => userId)),
    groupIds: new Set(groups.filter(({ isDeactivated }) => !isDeactivated).map(({ groupId }) => groupId)),
    deactivatedGroupIds: new Set(
      groups.filter(({ isDeactivated }) => isDeactivated).map(({ groupId }) => groupId),
    ),
  };
}
