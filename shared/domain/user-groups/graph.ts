import type { User } from '#shared/domain/users/user.ts';
import type { Group } from './group.ts';
import { isInGroup, isSystemGroup } from './group-setting.ts';

/** Loaded custom groups by id. */
export type Groups = ReadonlyMap<number, Group>;

/** Custom groups with their direct members, deactivated users included. */
export interface GroupGraph {
  groups: Groups;
  members: ReadonlyMap<number, ReadonlySet<number>>;
}

/** The group and all groups below it; deactivated groups have no effective members. */
export function reach(groups: Groups, groupId: number): Set<number> {
  const reached = new Set([groupId]);
  for (const id of reached)
    for (const below of groups.get(id)?.subgroupIds ?? [])
      if (!groups.get(below)?.isDeactivated) reached.add(below);
  return reached;
}

/**
 * Whether the user is an effective member of a group, directly or through subgroups; `direct` are the groups
 * with the user as a direct member. Deactivated groups have no members.
 */
export function belongsTo(user: User, groupId: number, groups: Groups, direct: ReadonlySet<number>): boolean {
  if (groups.get(groupId)?.isDeactivated) return false;
  return [...reach(groups, groupId)].some((id) => (isSystemGroup(id) ? isInGroup(user, id) : direct.has(id)));
}

/** The groups of which the user is a direct member. */
export const directGroupsOf = (userId: number, { members }: GroupGraph): Set<number> =>
  new Set([...members].filter(([, userIds]) => userIds.has(userId)).map(([groupId]) => groupId));
