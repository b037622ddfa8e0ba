import { expect, test } from 'vitest';
import { RateLimitHit } from '#shared/domain/errors.ts';
import { countWithin } from '#shared/store/limits/window-counts.ts';
import { startTestService } from '#tests/harness/service.ts';

const LIMIT = { limit: 5, windowSeconds: 60 };

let nowMs: number;
const service = await startTestService();
nowMs = Math.ceil(service.services.clock.nowMs() / 1_000) * 1_000;
const services = { ...service.services, clock: { ...service.services.clock, nowMs: () => nowMs } };

const count = (subject: string, attempts?: number): Promise<void> =>
  countWithin(services, { pk: `COUNTED#${subject}`, sk: 'COUNT' }, LIMIT, attempts);

test('Attempts are counted up to the limit, one by one or at once, and one more waits for the end of the window', async () => {
  for (let n = 0; n < 5; n++) await count('one by one');
  await expect(count('one by one')).rejects.toEqual(new RateLimitHit(60));
  await count('at once', 5);
  await expect(count('at once')).rejects.toEqual(new RateLimitHit(60));
  await expect(count('too many', 6)).rejects.toEqual(new RateLimitHit(60));
  await count('too many', 5);
  await count('some', 3);
  await expect(count('some', 3)).rejects.toEqual(new RateLimitHit(60));
  await count('some', 2);
});

test('A window starts with its first attempt, and ends after its seconds', async () => {
  await count('window', 5);
  nowMs += 59_000;
  await expect(count('window')).rejects.toEqual(new RateLimitHit(1));
  nowMs += 1_000;
  await count('window', 5);
  await expect(count('window')).rejects.toEqual(new RateLimitHit(60));
});
