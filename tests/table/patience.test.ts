import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { beginRequest } from '#shared/table/deadline.ts';
import { attemptMs, Patience } from '#shared/table/patience.ts';

type ErrorType = 'TRANSIENT' | 'THROTTLING' | 'CLIENT_ERROR';

const again = { errorType: 'TRANSIENT' } as const;

test('Each call counts its retries, and the service gets the number', async () => {
  const patience = new Patience();
  const first = await patience.acquireInitialRetryToken();
  const second = await patience.refreshRetryTokenForRetry(first, again);
  const third = await patience.refreshRetryTokenForRetry(second, again);
  expect([first, second, third].map((token) => token.getRetryCount())).toEqual([0, 1, 2]);
});

describe('A call of the table', () => {
  let nowMs: number;
  let chance: number;
  beforeEach(() => {
    nowMs = 1_000;
    chance = 1;
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    vi.spyOn(Math, 'random').mockImplementation(() => chance);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    beginRequest(Number.POSITIVE_INFINITY);
  });

  /** The pauses before each further attempt of a call that fails each time, and why there is no other one. */
  async function exhaust(errorType: ErrorType): Promise<{ pauses: number[]; reason: string }> {
    const patience = new Patience();
    const pauses: number[] = [];
    let token = await patience.acquireInitialRetryToken();
    for (;;)
      try {
        token = await patience.refreshRetryTokenForRetry(token, { errorType });
        pauses.push(token.getRetryDelay());
      } catch (failure) {
        return { pauses, reason: (failure as Error).message };
      }
  }

  test('Retries up to twenty times while the connection fails, after pauses that double up to a second', async () => {
    const { pauses, reason } = await exhaust('TRANSIENT');
    expect(pauses).toEqual([50, 100, 200, 400, 800, ...Array.from({ length: 14 }, () => 1_000)]);
    expect(reason).toBe('This is not tried again');
  });

  test('Retries up to five times while it is throttled, after longer pauses', async () => {
    expect((await exhaust('THROTTLING')).pauses).toEqual([200, 400, 800, 1_000]);
  });

  test('Does not retry a wrong call', async () => {
    expect(await exhaust('CLIENT_ERROR')).toEqual({ pauses: [], reason: 'This is not tried again' });
  });

  test('Pauses for a random part of that time, so that many calls do not come back at once', async () => {
    chance = 0.25;
    expect((await exhaust('THROTTLING')).pauses).toEqual([50, 100, 200, 250]);
  });

  test.each([
    ['for ten seconds', Number.POSITIVE_INFINITY, 10_000],
    ['within a request until half a second before its end', 3_000, 2_500],
  ])('Retries %s, if a pause and a quarter of a second remain', async (_how, requestMs, patienceMs) => {
    beginRequest(requestMs);
    const patience = new Patience();
    const token = await patience.acquireInitialRetryToken();
    nowMs += patienceMs - 250 - 50;
    expect((await patience.refreshRetryTokenForRetry(token, again)).getRetryDelay()).toBe(50);
    nowMs += 1;
    await expect(patience.refreshRetryTokenForRetry(token, again)).rejects.toThrow('There is no time');
  });

  test('Waits for its answer up to a usual latency, or as long as its request can still be answered', () => {
    expect(attemptMs(5_000)).toBe(5_000);
    beginRequest(3_000);
    expect(attemptMs(5_000)).toBe(2_500);
    nowMs += 2_499;
    expect(attemptMs(5_000)).toBe(1);
    nowMs += 1_000;
    expect(attemptMs(5_000)).toBe(1);
  });
});
