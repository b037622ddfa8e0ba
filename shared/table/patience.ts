import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { remainingMs } from '#shared/runtime/deadline.ts';

type RetryStrategy = Extract<
  NonNullable<DynamoDBClientConfig['retryStrategy']>,
  { acquireInitialRetryToken: unknown }
>;
type RetryToken = Parameters<RetryStrategy['refreshRetryTokenForRetry']>[0];
type RetryErrorInfo = Parameters<RetryStrategy['refreshRetryTokenForRetry']>[1];

/** What is kept of the time of a request for the answer. */
const ANSWER_MS = 500;
/** With less a retry is not worth beginning. */
const SHORTEST_ATTEMPT_MS = 250;
/** So long a call is tried where no request limits the time. */
const PATIENCE_MS = 10_000;
const LONGEST_PAUSE_MS = 1_000;
/** A partition that is throttled needs longer than a connection that broke, and comes to itself less often. */
const FIRST_PAUSE_MS = { connection: 50, throttled: 200 };
const MOST_ATTEMPTS = { connection: 20, throttled: 5 };

/** How long an attempt may take so that the request can still be answered in time. */
export const attemptMs = (usualMs: number): number =>
  Math.max(1, Math.min(usualMs, remainingMs() - ANSWER_MS));

/** One call of the table. */
class Call implements RetryToken {
  readonly retries: number;
  readonly untilMs: number;
  readonly pauseMs: number;

  constructor(retries: number, untilMs: number, pauseMs: number) {
    this.retries = retries;
    this.untilMs = untilMs;
    this.pauseMs = pauseMs;
  }

  getRetryCount(): number {
    return this.retries;
  }

  getRetryDelay(): number {
    return this.pauseMs;
  }
}

/**
 * Tries again what was throttled or got no answer, after pauses of random length that grow, as long as the request has
 * time for it. The SDK's own strategy stops after few attempts, and much sooner when many calls fail at once.
 */
export class Patience implements RetryStrategy {
  async acquireInitialRetryToken(): Promise<Call> {
    return new Call(0, performance.now() + Math.min(PATIENCE_MS, remainingMs() - ANSWER_MS), 0);
  }

  /** @throws Error for what is not to be tried again */
  async refreshRetryTokenForRetry(token: RetryToken, { errorType }: RetryErrorInfo): Promise<Call> {
    const { retries, untilMs } = token as Call;
    const kind = errorType === 'THROTTLING' ? 'throttled' : 'connection';
    if (errorType === 'CLIENT_ERROR' || retries + 1 >= MOST_ATTEMPTS[kind])
      throw new Error('This is not tried again');
    const pauseMs = Math.random() * Math.min(FIRST_PAUSE_MS[kind] * 2 ** retries, LONGEST_PAUSE_MS);
    if (performance.now() + pauseMs + SHORTEST_ATTEMPT_MS > untilMs)
      throw new Error('There is no time to try again');
    return new Call(retries + 1, untilMs, pauseMs);
  }

  recordSuccess(): void {}
}
