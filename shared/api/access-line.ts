import type { Account } from '#shared/domain/users/user.ts';
import { logLine } from '#shared/runtime/log.ts';
import type { ConsumedUnits, Services } from '#shared/runtime/services.ts';
import type { HttpEvent } from './http.ts';

/** When a request began, and what its process had consumed by then. */
export interface Before extends Partial<ConsumedUnits> {
  ms: number;
}

interface Answered {
  caller?: Account | undefined;
  services?: Services;
  before?: Before;
}

/**
 * Logs one line per answered request: operation, address, account, duration and consumed capacity. The gateway's
 * own log has the same request id but no account. Queries, bodies and credentials are never logged.
 */
export function logAccess(
  { requestContext, routeKey }: HttpEvent,
  status: number,
  { caller, services, before }: Answered = {},
): void {
  const { requestId, http } = requestContext;
  const consumed = services?.consumed?.();
  logLine('info', 'A request', {
    requestId,
    route: routeKey,
    status,
    address: http.sourceIp,
    ...(caller && { userId: caller.userId }),
    ...(services && before && { durationMs: services.clock.nowMs() - before.ms }),
    ...(consumed && before && unitsSince(consumed, before)),
  });
}

const unitsSince = ({ read, write }: ConsumedUnits, before: Partial<ConsumedUnits>) => ({
  readUnits: read - (before.read ?? 0),
  writeUnits: write - (before.write ?? 0),
});
