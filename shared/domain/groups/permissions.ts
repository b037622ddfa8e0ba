import { BadRequest } from '#shared/domain/errors.ts';
import type { OrganizationGroups } from '#shared/domain/organization/settings.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Group, GroupGroupSetting } from './group.ts';
import { type GroupSetting, isInGroup } from './group-setting.ts';

/** The settings that decide what may be done with a group; whoever asks must have learned of them. */
export const settingsThatDecide = (group: Group, organization: OrganizationGroups): GroupSetting[] => [
  organization.can_manage_all_groups,
  ...Object.values(group.groups),
];

/** Who manages a group may do everything with it. */
export const mayManage = (user: User, group: Group, organization: OrganizationGroups): boolean =>
  isInGroup(user, organization.can_manage_all_groups) || isInGroup(user, group.groups.can_manage_group);

/** @throws BadRequest */
export function requireMayCreateGroups(user: User, organization: OrganizationGroups): void {
  if (!isInGroup(user, organization.can_create_groups)) throw new BadRequest('Insufficient permission');
}

/** @throws BadRequest */
export function requireMayManage(user: User, group: Group, organization: OrganizationGroups): void {
  if (!mayManage(user, group, organization)) throw new BadRequest('Insufficient permission');
}

/** What a call asks of a group's members and subgroups. */
export interface MembershipRequest {
  add: number[];
  delete: number[];
  addSubgroups: number[];
  deleteSubgroups: number[];
}

/** @throws BadRequest when the user may not change the members or subgroups so */
export function requireMayChangeMembers(
  user: User,
  group: Group,
  request: MembershipRequest,
  organization: OrganizationGroups,
): void {
  const adds: GroupGroupSetting[] = [];
  const removes: GroupGroupSetting[] = [];
  if (isOnly(request.add, user)) adds.push('can_join_group');
  if (isOnly(request.delete, user)) removes.push('can_leave_group');
  const isAllowed = (settings: GroupGroupSetting[]): boolean =>
    mayManage(user, group, organization) || settings.some((name) => isInGroup(user, group.groups[name]));
  const isForbidden =
    (request.add.length > 0 && !isAllowed(['can_add_members_group', ...adds])) ||
    (request.delete.length > 0 && !isAllowed(['can_remove_members_group', ...removes])) ||
    (request.addSubgroups.length > 0 && !isAllowed(['can_add_members_group'])) ||
    (request.deleteSubgroups.length > 0 && !isAllowed(['can_remove_members_group']));
  if (isForbidden) throw new BadRequest('Insufficient permission');
}

const isOnly = (userIds: number[], { userId }: User): boolean =>
  userIds.length === 1 && userIds[0] === userId;
