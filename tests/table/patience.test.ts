import { expect, test } from 'vitest';
import { Patience } from '#shared/table/patience.ts';

const again = { errorType: 'TRANSIENT' } as const;

test('each call counts how often it was made again, which its request tells the service', async () => {
  const patience = new Patience();
  const first = await patience.acquireInitialRetryToken();
  const second = await patience.refreshRetryTokenForRetry(first, again);
  const third = await patience.refreshRetryTokenForRetry(second, again);
  expect([first, second, third].map((token) => token.getRetryCount())).toEqual([0, 1, 2]);
});
