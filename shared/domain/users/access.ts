import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { isAdministrator, isOwner, type User } from './user.ts';

/** @throws BadRequest for callers who may not change other accounts */
export function requireMayAdministerUsers(caller: User): void {
  if (!isAdministrator(caller)) throw new BadRequest('Insufficient permission');
}

/** @throws BadRequest for the bots of the service, which belong to nobody */
export function requireChangeable(target: User): void {
  if (target.isSystemBot) throw new BadRequest('No such user');
}

/** @throws UnauthorizedPrincipal when an owner is concerned and the caller is none */
export function requireMayTouchOwner(caller: User, target: User): void {
  if (isOwner(target) && !isOwner(caller)) throw new UnauthorizedPrincipal('owner');
}
