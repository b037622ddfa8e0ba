import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { systemClock } from '#shared/runtime/clock.ts';

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('A sleep that ends early leaves no timer, and no sleep leaves a listener', async () => {
  const { signal } = new AbortController();
  const ending = new AbortController();
  const before = timers();
  const sleeping = systemClock.sleep(60_000, ending.signal);
  expect(timers()).toBe(before + 1);
  ending.abort();
  await sleeping;
  expect(timers()).toBe(before);
  expect(getEventListeners(ending.signal, 'abort')).toEqual([]);
  await systemClock.sleep(1, signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  await systemClock.sleep(60_000, AbortSignal.abort());
  expect(timers()).toBe(before);
});
