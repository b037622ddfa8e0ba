import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { remainingMs } from './deadline.ts';

type RetryStrategy = Extract<
  NonNullable<DynamoDBClientConfig['retryStrategy']>,
  { acquireInitialRetryToken: unknown }
>;
type RetryToken = Parameters<RetryStrategy['refreshRetryTokenForRetry']>[0];
type RetryErrorInfo = Parameters<RetryStrategy['refreshRetryTokenForRetry']>[1];

/** Time reserved for sending the answer. */
const ANSWER_MS = 500;
/** Less time is not enough for a retry. */
const SHORTEST_ATTEMPT_MS = 250;
/** How long a call is retried when no request limits the time. */
const PATIENCE_MS = 10_000;
const LONGEST_PAUSE_MS = 1_000;
/** A throttled partition needs longer to recover than a broken connection. */
const FIRST_PAUSE_MS = { connection: 50, throttled: 200 };
const MOST_ATTEMPTS = { connection: 20, throttled: 5 };

/** The timeout of an attempt, such that the request can still be answered in time. */
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
 * Retries throttled and unanswered calls after growing pauses of random length, as long as the request has
 * time. The SDK's own strategy gives up after few attempts, and sooner when many calls fail at once.
 */
export class Patience implements RetryStrategy {
  async acquireInitialRetryToken(): Promise<Call> {
    return new Call(0, performance.now() + Math.min(PATIENCE_MS, remainingMs() - ANSWER_MS), 0);
  }

  /** @throws Error for failures that must not be retried */
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
