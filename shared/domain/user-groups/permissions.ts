import { BadRequest } from '#shared/domain/errors.ts';
import type { OrganizationGroups } from '#shared/domain/organization/settings.ts';
import { isPermitted, type Permission } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Group } from './group.ts';
import type { GroupSetting } from './group-setting.ts';

/**
 * The settings that decide a user's rights in a group; load the user's membership in these groups first.
 */
export const settingsThatDecide = (group: Group, organization: OrganizationGroups): GroupSetting[] => [
  organization.can_manage_all_groups,
  ...Object.values(group.groups),
];

/** Managers of a group may do everything with it. */
export const mayManage = (user: User, group: Group, organization: OrganizationGroups): boolean =>
  isPermitted(user, permissions.manageGroup, { organization, group: group.groups });

/** @throws BadRequest */
export function requireMayCreateGroups(user: User, organization: OrganizationGroups): void {
  if (!isPermitted(user, permissions.createGroup, { organization }))
    throw new BadRequest('Insufficient permission');
}

/** @throws BadRequest */
export function requireMayManage(user: User, group: Group, organization: OrganizationGroups): void {
  if (!mayManage(user, group, organization)) throw new BadRequest('Insufficient permission');
}

/** The requested changes of members and subgroups. */
export interface MembershipRequest {
  add: number[];
  delete: number[];
  addSubgroups: number[];
  deleteSubgroups: number[];
}

/** @throws BadRequest when the user may not make these changes of members or subgroups */
export function requireMayChangeMembers(
  user: User,
  group: Group,
  request: MembershipRequest,
  organization: OrganizationGroups,
): void {
  const may = (permission: Permission, userIds: number[] = []): boolean =>
    isPermitted(user, permission, {
      organization,
      group: group.groups,
      relations: { isOneself: userIds.length === 1 && userIds[0] === user.userId },
    });
  const mayAdd = may(permissions.addGroupMembers);
  const mayRemove = may(permissions.removeGroupMembers);
  const isForbidden =
    (request.add.length > 0 && !mayAdd && !may(permissions.joinGroup, request.add)) ||
    (request.delete.length > 0 && !mayRemove && !may(permissions.leaveGroup, request.delete)) ||
    (request.addSubgroups.length > 0 && !mayAdd) ||
    (request.deleteSubgroups.length > 0 && !mayRemove);
  if (isForbidden) throw new BadRequest('Insufficient permission');
}
