import type { Account } from '#shared/domain/users/user.ts';
import { logLine } from '#shared/runtime/log.ts';
import type { HttpEvent } from './http.ts';

/**
 * One line about a request that was answered: which operation, from which address, as which account. The gateway's own log
 * knows the request by the same id, and no account. Queries, bodies and credentials are left out.
 */
export function logAccess(
  { requestContext, routeKey }: HttpEvent,
  { status, caller }: { status: number; caller?: Account | undefined },
): void {
  const { requestId, http } = requestContext;
  logLine('info', 'A request', {
    requestId,
    route: routeKey,
    status,
    address: http.sourceIp,
    ...(caller && { userId: caller.userId }),
  });
}
