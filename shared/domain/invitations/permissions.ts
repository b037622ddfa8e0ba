import { BadRequest, InvitationFailed, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import type { OrganizationGroups } from '#shared/domain/organization/settings.ts';
import { isPermitted, type Permission } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import { isAdministrator, isOwner, type Role, roles, type User } from '#shared/domain/users/user.ts';
import type { Admission, Invitation } from './invitation.ts';

/** The numbers of the protocol that stand for a role. */
export const invitableRoles: readonly number[] = Object.values(roles);

/** @throws BadRequest where the caller may not invite people, or may not make links */
export function requireMayInvite(
  caller: User,
  permission: Permission,
  organization: OrganizationGroups,
): void {
  if (!isPermitted(caller, permission, { organization })) throw new BadRequest('Insufficient permission');
}

/** @throws UnauthorizedPrincipal for a role or a welcome that the caller may not give */
export function requireMayAdmit(caller: User, { role, welcomeText }: Admission): void {
  requireMayGrant(caller, role);
  const isRaised = role <= roles.moderator;
  if (isRaised && !isPermitted(caller, permissions.inviteAdministrators, {}))
    throw new UnauthorizedPrincipal('administrator');
  if (welcomeText !== null && !isPermitted(caller, permissions.chooseWelcome, {}))
    throw new UnauthorizedPrincipal('administrator');
}

/**
 * What is not listed for the caller does not exist for them.
 * @throws BadRequest for an invitation that is not the caller's to manage, UnauthorizedPrincipal for one to be an owner
 */
export function requireMayManage(caller: User, { inviterId, role }: Invitation): void {
  const relations = { isOneself: inviterId === caller.userId };
  if (!isPermitted(caller, permissions.manageInvitation, { relations }))
    throw new BadRequest('No such invitation');
  requireMayGrant(caller, role);
}

function requireMayGrant(caller: User, role: Role): void {
  if (role === roles.owner && !isPermitted(caller, permissions.inviteOwners, {}))
    throw new UnauthorizedPrincipal('owner');
}

/** @throws InvitationFailed for accounts that are too young to invite people */
export function requireOldEnough(caller: User, minAgeSeconds: number): void {
  if ((caller.ageSeconds ?? 0) < minAgeSeconds && !isAdministrator(caller))
    throw new InvitationFailed(
      'Your account is too new to send invites for this organization. Ask an organization admin, or a more experienced user.',
    );
}

/**
 * Whether an invitation is listed for the user. Administrators see those of others; but a link shows its key, and
 * whoever holds that of one for owners becomes an owner.
 */
export function isListedFor(user: User, { kind, inviterId, role, isRevoked }: Invitation): boolean {
  if (kind === 'confirmation' || isRevoked) return false;
  if (kind === 'link' && role === roles.owner && !isOwner(user)) return false;
  return inviterId === user.userId || isAdministrator(user);
}
