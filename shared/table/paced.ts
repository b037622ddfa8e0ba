import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { attemptMs } from './patience.ts';

type RequestHandler = DynamoDBClient['config']['requestHandler'];

/** The maximum number of concurrent calls; others wait before their call, so that no timeout runs yet. */
export const CALLS_AT_ONCE = 50;

/** Does things at most so many at once; the others wait, and begin in order. */
export function atMost(count: number): <Result>(act: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async (act) => {
    if (underWay < count) underWay++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await act();
    } finally {
      // Hands the place over, so that calls are served in order.
      const next = waiting.shift();
      if (next) next();
      else underWay--;
    }
  };
}

/**
 * Limits concurrent calls to the number of connections, because the SDK counts waiting for a connection as
 * connecting and then times out. An attempt takes no longer than the request's remaining time.
 */
export function paced(handler: RequestHandler, usualAttemptMs: number): RequestHandler {
  const inTurn = atMost(CALLS_AT_ONCE);
  const handle: RequestHandler['handle'] = (request, options) =>
    inTurn(() => handler.handle(request, { ...options, requestTimeout: attemptMs(usualAttemptMs) }));
  return Object.assign(Object.create(handler) as RequestHandler, { handle });
}
