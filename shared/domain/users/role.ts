import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { isPermitted } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Write } from '#shared/table/table.ts';
import { isGuest, isOwner, type Role, roles, type User } from './user.ts';

/** @throws BadRequest for an unknown role */
export function checkRole(input: number): Role {
  const role = Object.values(roles).find((candidate) => candidate === input);
  if (role === undefined) throw new BadRequest('Invalid role');
  return role;
}

/** Only owners may assign or remove the owner role. @throws UnauthorizedPrincipal or BadRequest */
export function requireMayChangeRole(caller: User, target: User, role: Role): void {
  const isAboutOwners = isOwner(target) || role === roles.owner;
  if (isAboutOwners && !isPermitted(caller, permissions.editOwners, {}))
    throw new UnauthorizedPrincipal('owner');
  if (isGuest(target) && role <= roles.administrator)
    throw new BadRequest('Guests cannot be organization administrators');
}

/**
 * A bot has no higher role than its owner.
 * @throws BadRequest
 */
export function requireRoleOfOwner(owner: Pick<User, 'role'>, role: Role): void {
  if (role < owner.role) throw new BadRequest("The role of a bot cannot be higher than its owner's.");
}

/** A check that a bot's owner still has the role by which the bot got its own. */
export const sameRoleCheck = ({ userId, role }: User): Write => ({
  kind: 'check',
  key: userKeys.user(userId),
  condition: { equals: { role } },
});

/** Whether the user counts as one of the organization's owners. */
export const isActiveOwner = (user: User): boolean => isOwner(user) && user.isActive && !user.isBot;

/** Another owner. */
export const findOtherOwner = (users: User[], { userId }: User): User | undefined =>
  users.find((user) => isActiveOwner(user) && user.userId !== userId);

/**
 * A check that this person is still an owner. Every transaction that removes another owner includes it, so
 * that of two owners who remove each other one fails.
 */
export const stillOwnerCheck = ({ userId }: User): Write => ({
  kind: 'check',
  key: userKeys.user(userId),
  condition: { equals: { role: roles.owner, isActive: true } },
});
