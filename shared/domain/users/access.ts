import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { isPermitted } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import { isOwner, type User } from './user.ts';

/** @throws BadRequest when the caller may not change other accounts */
export function requireMayAdministerUsers(caller: User): void {
  if (!isPermitted(caller, permissions.editUsers, {})) throw new BadRequest('Insufficient permission');
}

/** @throws BadRequest for the service's own bots */
export function requireChangeable(target: User): void {
  if (target.isSystemBot) throw new BadRequest('No such user');
}

/** @throws UnauthorizedPrincipal when the target is an owner and the caller is not */
export function requireMayTouchOwner(caller: User, target: User): void {
  if (isOwner(target) && !isPermitted(caller, permissions.editOwners, {}))
    throw new UnauthorizedPrincipal('owner');
}
