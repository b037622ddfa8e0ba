import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { isPermitted } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import { isOwner, type User } from './user.ts';

/** @throws BadRequest for callers who may not change other accounts */
export function requireMayAdministerUsers(caller: User): void {
  if (!isPermitted(caller, permissions.editUsers, {})) throw new BadRequest('Insufficient permission');
}

/** @throws BadRequest for the bots of the service, which belong to nobody */
export function requireChangeable(target: User): void {
  if (target.isSystemBot) throw new BadRequest('No such user');
}

/** @throws UnauthorizedPrincipal when an owner is concerned and the caller is none */
export function requireMayTouchOwner(caller: User, target: User): void {
  if (isOwner(target) && !isPermitted(caller, permissions.editOwners, {}))
    throw new UnauthorizedPrincipal('owner');
}
