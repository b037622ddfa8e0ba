import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { attemptMs } from './patience.ts';

type RequestHandler = DynamoDBClient['config']['requestHandler'];

/** The maximum number of concurrent calls; others wait here, where no timeout runs yet. */
export const CALLS_AT_ONCE = 50;

/**
 * Limits concurrent calls to the number of connections, because the SDK counts waiting for a connection as
 * connecting and then times out. An attempt takes no longer than the request's remaining time.
 */
export function paced(handler: RequestHandler, usualAttemptMs: number): RequestHandler {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  const handle: RequestHandler['handle'] = async (request, options) => {
    if (underWay < CALLS_AT_ONCE) underWay++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await handler.handle(request, { ...options, requestTimeout: attemptMs(usualAttemptMs) });
    } finally {
      // Hands the place over, so that calls are served in order.
      const next = waiting.shift();
      if (next) next();
      else underWay--;
    }
  };
  return Object.assign(Object.create(handler) as RequestHandler, { handle });
}
