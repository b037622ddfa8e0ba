import type { Allowed, AnyEndpoint } from '#shared/api/endpoint.ts';
import type { TokenScope } from '#shared/domain/api-tokens/api-token.ts';
import { InsufficientScope } from '#shared/domain/api-tokens/errors.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { type Account, botTypes, isAdministrator, isGuest, isOwner } from '#shared/domain/users/user.ts';

/**
 * @throws BadRequest or UnauthorizedPrincipal when the endpoint does not admit this kind of caller, InsufficientScope
 * when it does not admit their API token
 */
export function requireAllowed(
  { allow, takesWebhooks, scope, obeysChannels }: AnyEndpoint,
  caller: Account,
): void {
  const allowed: Allowed = allow;
  requireScope(caller, ...[scope ?? []].flat());
  if (caller.onlyChannels && !obeysChannels)
    throw new InsufficientScope(
      [],
      'This operation is not available to API tokens that are limited to channels.',
    );
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

/** @throws InsufficientScope when the caller uses an API token that has none of the scopes */
export function requireScope({ token }: Account, ...scopes: TokenScope[]): void {
  if (token && !scopes.some((scope) => token.scopes.includes(scope))) throw new InsufficientScope(scopes);
}

/** Whether an endpoint is refused to all callers while the organization is deactivated. */
export const isClosedToAll = ({ allow, closes }: AnyEndpoint): boolean =>
  allow !== 'anyone' || closes === true;

/** Whether an endpoint needs the data of the organization, so that it is refused to all callers once that was deleted. */
export const needsData = ({ allow, uses }: AnyEndpoint): boolean =>
  allow !== 'anyone' || uses.table !== 'none';
