import type { Allowed, AnyEndpoint } from '#shared/api/endpoint.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { type Account, botTypes, isAdministrator, isGuest, isOwner } from '#shared/domain/users/user.ts';

/** @throws BadRequest or UnauthorizedPrincipal when the endpoint does not admit this kind of caller */
export function requireAllowed({ allow, takesWebhooks }: AnyEndpoint, caller: Account): void {
  const allowed: Allowed = allow;
  if (caller.bot?.type === botTypes.incomingWebhook && !takesWebhooks)
    throw new BadRequest('This API is not available to incoming webhook bots.');
  if ((allowed === 'human' || allowed === 'humanMember') && caller.isBot)
    throw new BadRequest('This endpoint does not accept bot requests.');
  if ((allowed === 'member' || allowed === 'humanMember') && isGuest(caller))
    throw new UnauthorizedPrincipal('member');
  if (allowed === 'administrator' && !isAdministrator(caller))
    throw new UnauthorizedPrincipal('administrator');
  if (allowed === 'owner' && !isOwner(caller)) throw new UnauthorizedPrincipal('owner');
}
