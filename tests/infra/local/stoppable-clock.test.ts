import { expect, test } from 'vitest';
import { createStoppableClock } from '#infra/local/stoppable-clock.ts';

test('Sleepers of one signal wake one after the other', async () => {
  const clock = createStoppableClock();
  const waking = new AbortController();
  const steps: string[] = [];
  const sleepThenWork = async (name: string): Promise<void> => {
    await clock.sleep(60_000, waking.signal);
    for (let n = 0; n < 5; n++) {
      await null;
      steps.push(name);
    }
  };
  const all = ['a', 'b', 'c'].map(sleepThenWork);
  waking.abort();
  await Promise.all(all);
  expect(steps.join('')).toBe('aaaaabbbbbccccc');
});
