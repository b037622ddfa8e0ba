import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { attemptMs } from './patience.ts';

type RequestHandler = DynamoDBClient['config']['requestHandler'];

/** So many calls are on their way at once; others wait here, where no time-out runs yet. */
export const CALLS_AT_ONCE = 50;

/**
 * Sends no more calls at once than there are connections for. The SDK gives a call that waits for a connection the time
 * of one that connects, and then lets it fail. An attempt takes no longer than the request has time.
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
      // The next one takes the place over, so that none that comes later is served first.
      const next = waiting.shift();
      if (next) next();
      else underWay--;
    }
  };
  return Object.assign(Object.create(handler) as RequestHandler, { handle });
}
