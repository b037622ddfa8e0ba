import type { Change } from '#shared/domain/change.ts';
import { peopleTurnWrite, type VisibilityRevision } from '#shared/domain/channels/visibility-revision.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { User } from '#shared/domain/users/user.ts';
import { membersChanged, subgroupsChanged } from './events.ts';
import { type Groups, reach } from './graph.ts';
import type { Group } from './group.ts';
import { isSystemGroup, type KnownNames, systemGroups } from './group-setting.ts';
import { requireFewSubgroups } from './limits.ts';
import type { MembershipRequest } from './permissions.ts';
import { requireKnownGroups } from './valid-setting.ts';
import { graphChangeWrite, groupMemberWrites, groupWrite } from './writes.ts';

/** The state that membership changes are validated against. */
export interface MembershipState {
  group: Group;
  memberIds: ReadonlySet<number>;
  /** The existing users and groups among those to add. */
  users: User[];
  known: KnownNames;
  /** The groups below those to add. */
  below: Groups;
}

/** The ids of users to add, ascending. @throws BadRequest unless all are active people and bots */
export function checkUsers(userIds: number[], users: User[]): number[] {
  const addable = new Set(
    users.filter(({ isActive, isSystemBot }) => isActive && !isSystemBot).map(({ userId }) => userId),
  );
  const stranger = userIds.find((id) => !addable.has(id));
  if (stranger !== undefined) throw new BadRequest(`Invalid user ID: ${stranger}`);
  return ascending(userIds);
}

/**
 * @throws BadRequest for groups that cannot be subgroups: unknown or deactivated ones, and the group of
 * everyone on the Internet
 */
export function checkSubgroups(groupIds: number[], known: KnownNames): void {
  requireKnownGroups(groupIds, known);
  if (groupIds.includes(systemGroups.internet))
    throw new BadRequest(`Invalid user group ID: ${systemGroups.internet}`);
}

/** @throws BadRequest when a member or subgroup cannot be added or removed */
export function checkRequest(request: MembershipRequest, state: MembershipState): void {
  const { group, memberIds, users, known } = state;
  checkUsers(request.add, users);
  const present = request.add.find((id) => memberIds.has(id));
  if (present !== undefined) throw new BadRequest(`User ${present} is already a member of this group`);
  const absent = request.delete.find((id) => !memberIds.has(id));
  if (absent !== undefined) throw new BadRequest(`There is no member '${absent}' in this user group`);
  checkSubgroups(request.addSubgroups, known);
  const below = request.addSubgroups.find((id) => group.subgroupIds.includes(id));
  if (below !== undefined) throw new BadRequest(`User group ${below} is already a subgroup of this group.`);
  const elsewhere = request.deleteSubgroups.find((id) => !group.subgroupIds.includes(id));
  if (elsewhere !== undefined)
    throw new BadRequest(`User group ${elsewhere} is not a subgroup of this group.`);
  if (request.addSubgroups.some((id) => reach(state.below, id).has(group.groupId)))
    throw new BadRequest(`User group ${group.groupId} is already a subgroup of one of the passed subgroups.`);
  requireFewSubgroups([...group.subgroupIds, ...request.addSubgroups]);
}

/** The group with its future subgroups. */
export const withSubgroups = (group: Group, request: MembershipRequest): Group => ({
  ...group,
  subgroupIds: ascending([
    ...group.subgroupIds.filter((id) => !request.deleteSubgroups.includes(id)),
    ...request.addSubgroups,
  ]),
});

/** Changes members and subgroups and notifies all users. */
export function membershipChange(
  { group, memberIds }: Pick<MembershipState, 'group' | 'memberIds'>,
  request: MembershipRequest,
  seen: { graphRevision: number; visibilityRevision: VisibilityRevision },
): Change {
  const { groupId } = group;
  const changesGraph = [...request.addSubgroups, ...request.deleteSubgroups].some((id) => !isSystemGroup(id));
  const { subgroupIds } = withSubgroups(group, request);
  return {
    writes: [
      groupWrite(group, { subgroupIds }),
      ...groupMemberWrites(groupId, request, memberIds),
      ...(changesGraph ? [graphChangeWrite(seen.graphRevision)] : []),
      peopleTurnWrite(seen.visibilityRevision),
    ],
    events: [
      ...membersChanged(group, 'add_members', ascending(request.add)),
      ...membersChanged(group, 'remove_members', ascending(request.delete)),
      ...subgroupsChanged(group, 'add_subgroups', ascending(request.addSubgroups)),
      ...subgroupsChanged(group, 'remove_subgroups', ascending(request.deleteSubgroups)),
    ],
  };
}

const ascending = (ids: number[]): number[] => [...ids].sort((a, b) => a - b);
