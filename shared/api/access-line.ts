import type { Account } from '#shared/domain/users/user.ts';
import { logLine } from '#shared/runtime/log.ts';
import type { ConsumedUnits, Services } from '#shared/runtime/services.ts';
import type { HttpEvent } from './http.ts';

/** When a request began, and what its process had consumed by then. */
export interface Before extends Partial<ConsumedUnits> {
  ms: number;
}

/** A request that an operation answered. */
interface Answered {
  caller?: Account | undefined;
  services: Services;
  before: Before;
}

/**
 * Logs one line per answered request: operation, address, account, duration and consumed capacity. The gateway's
 * own log has the same request id but no account. Queries, bodies and credentials are never logged.
 */
export function logAccess(
  { requestContext, routeKey }: HttpEvent,
  status: number,
  answered?: Answered,
): void {
  const { requestId, http } = requestContext;
  logLine('info', 'A request', {
    requestId,
    route: routeKey,
    status,
    address: http.sourceIp,
    ...(answered && describe(answered)),
  });
}

function describe({ caller, services, before }: Answered) {
  const consumed = services.consumed?.();
  return {
    ...(caller && { userId: caller.userId }),
    durationMs: services.clock.nowMs() - before.ms,
    ...(consumed && {
      readUnits: consumed.read - (before.read ?? 0),
      writeUnits: consumed.write - (before.write ?? 0),
    }),
  };
}
