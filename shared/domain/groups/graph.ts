import type { User } from '#shared/domain/users/user.ts';
import type { Group } from './group.ts';
import { isInGroup, isSystemGroup } from './group-setting.ts';

/** Groups that somebody made, by id, as far as they are loaded. */
export type Groups = ReadonlyMap<number, Group>;

/** Groups that somebody made with the ids of their direct members, deactivated users included. */
export interface GroupGraph {
  groups: Groups;
  members: ReadonlyMap<number, ReadonlySet<number>>;
}

/** The group and all groups below it; those that were deactivated since hold nobody. */
export function reach(groups: Groups, groupId: number): Set<number> {
  const reached = new Set([groupId]);
  for (const id of reached)
    for (const below of groups.get(id)?.subgroupIds ?? [])
      if (!groups.get(below)?.isDeactivated) reached.add(below);
  return reached;
}

/**
 * Whether the user belongs to a group, directly or through groups below; `direct` has the groups of which they are a
 * member themselves. Nobody belongs to a deactivated group.
 */
export function belongsTo(user: User, groupId: number, groups: Groups, direct: ReadonlySet<number>): boolean {
  if (groups.get(groupId)?.isDeactivated) return false;
  return [...reach(groups, groupId)].some((id) => (isSystemGroup(id) ? isInGroup(user, id) : direct.has(id)));
}

/** The groups of which the user is a member themselves. */
export const directGroupsOf = (userId: number, { members }: GroupGraph): Set<number> =>
  new Set([...members].filter(([, userIds]) => userIds.has(userId)).map(([groupId]) => groupId));
