import { BadRequest, InvitationFailed, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import type { OrganizationGroups } from '#shared/domain/organization/settings.ts';
import { isPermitted, type Permission } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import { isAdministrator, isGuest, isOwner, type Role, roles, type User } from '#shared/domain/users/user.ts';
import type { Admission, Invitation } from './invitation.ts';

/** The role numbers of the protocol. */
export const invitableRoles: readonly number[] = Object.values(roles);

/** @throws BadRequest when the caller may not invite people, or may not create links */
export function requireMayInvite(
  caller: User,
  permission: Permission,
  organization: OrganizationGroups,
): void {
  if (!isPermitted(caller, permission, { organization })) throw new BadRequest('Insufficient permission');
}

/** @throws UnauthorizedPrincipal for a role or a welcome text that the caller may not assign */
export function requireMayAdmit(caller: User, { role, welcomeText }: Admission): void {
  requireMayGrant(caller, role);
  const isRaised = role <= roles.moderator;
  if (isRaised && !isPermitted(caller, permissions.inviteAdministrators, {}))
    throw new UnauthorizedPrincipal('administrator');
  if (welcomeText !== null && !isPermitted(caller, permissions.chooseWelcome, {}))
    throw new UnauthorizedPrincipal('administrator');
}

/**
 * Whether the inviter could make the invitation now. One that outlives the right by which it was made opens
 * nothing.
 */
export function mayStillInvite(
  inviter: User,
  { kind, role, welcomeText }: Invitation,
  organization: OrganizationGroups,
): boolean {
  const permission = kind === 'email' ? permissions.inviteUsers : permissions.createInvitationLinks;
  return (
    inviter.isActive &&
    !isGuest(inviter) &&
    isPermitted(inviter, permission, { organization }) &&
    (role > roles.moderator || isPermitted(inviter, permissions.inviteAdministrators, {})) &&
    (role !== roles.owner || isPermitted(inviter, permissions.inviteOwners, {})) &&
    (welcomeText === null || isPermitted(inviter, permissions.chooseWelcome, {}))
  );
}

/** The groups that decide about it. */
export const inviterGroups = ({
  can_invite_users_group,
  create_multiuse_invite_group,
}: OrganizationGroups) => [can_invite_users_group, create_multiuse_invite_group];

/**
 * Invitations that are not listed for the caller count as missing.
 * @throws BadRequest for an invitation that the caller may not manage, UnauthorizedPrincipal for an owner's
 * invitation
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
 * Whether an invitation is listed for the user. Administrators see other users' invitations, except links for owners:
 * a link shows its key, and with that key any administrator could become an owner.
 */
export function isListedFor(user: User, { kind, inviterId, role, isRevoked }: Invitation): boolean {
  if (kind === 'confirmation' || isRevoked) return false;
  if (kind === 'link' && role === roles.owner && !isOwner(user)) return false;
  return inviterId === user.userId || isAdministrator(user);
}
