import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { type Account, isAdministrator, isGuest, isOwner } from '#shared/domain/users/user.ts';
import type { Allowed } from './endpoint.ts';

/** @throws BadRequest or UnauthorizedPrincipal where an endpoint is not for callers like this one */
export function requireAllowed(allowed: Allowed, caller: Account): void {
  if ((allowed === 'human' || allowed === 'humanMember') && caller.isBot)
    throw new BadRequest('This endpoint does not accept bot requests.');
  if ((allowed === 'member' || allowed === 'humanMember') && isGuest(caller))
    throw new UnauthorizedPrincipal('member');
  if (allowed === 'administrator' && !isAdministrator(caller))
    throw new UnauthorizedPrincipal('administrator');
  if (allowed === 'owner' && !isOwner(caller)) throw new UnauthorizedPrincipal('owner');
}
