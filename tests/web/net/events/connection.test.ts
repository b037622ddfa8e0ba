import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { load, useStillPage } from '../still-page.ts';

const [patience, waking] = await load('#web/net/events/patience.ts', '#web/net/events/waking.ts');

const page = useStillPage();

describe('A page that retries until it is answered', () => {
  const lost = new TypeError('fetch failed');

  /**
   * Calls; the failures come one after another, and then an answer. Returns the time of each attempt, in
   * milliseconds.
   */
  async function triesUntilAnswer(failures: Error[], until = new AbortController().signal) {
    const waiting = [...failures];
    const tries: number[] = [];
    const began = page.nowMs();
    const answer: Promise<string | undefined> = patience.patiently(async () => {
      tries.push(page.nowMs() - began);
      const failure = waiting.shift();
      if (failure) throw failure;
      return 'answer';
    }, until);
    // A refusal is examined later.
    answer.catch(() => undefined);
    await page.pass(0);
    return { tries, answer };
  }

  beforeEach(() => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
  });

  test('Waits longer from one failure to the next, but never more than a minute', async () => {
    const { tries, answer } = await triesUntilAnswer(Array.from({ length: 9 }, () => lost));
    await page.pass(10 * 60_000);
    await answer;
    const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });
});

describe('A page that detects waking', () => {
  let stop: () => void;
  let calls: string[];
  beforeEach(() => {
    calls = [];
    stop = waking.watchForWaking(
      () => calls.push('woke'),
      () => calls.push('seen'),
    );
  });
  afterEach(() => stop());

  /** The computer sleeps: time passes, and no timer fires. */
  async function sleepFor(ms: number): Promise<void> {
    vi.setSystemTime(page.nowMs() + ms - 5_000);
    await page.pass(5_000);
  }

  test.each([
    { hidden: false, longestMs: 20_000 },
    { hidden: true, longestMs: 90_000 },
  ])(
    'Treats a pause of its timers of more than $longestMs ms as sleep if it is hidden: $hidden',
    async (limit) => {
      page.document.hidden = limit.hidden;
      await sleepFor(limit.longestMs);
      expect(calls).toEqual([]);
      await sleepFor(limit.longestMs + 1);
      expect(calls).toEqual(['woke']);
      await page.pass(60_000);
      expect(calls).toEqual(['woke']);
    },
  );

  test('Notices within five seconds that the computer slept', async () => {
    vi.setSystemTime(page.nowMs() + 60_000);
    await page.pass(4_999);
    expect(calls).toEqual([]);
    await page.pass(1);
    expect(calls).toEqual(['woke']);
  });

  test('Reports when the network comes or goes, and when it becomes visible, until it ends', () => {
    const change = () => {
      page.window.dispatchEvent(new Event('offline'));
      page.window.dispatchEvent(new Event('online'));
      page.document.dispatchEvent(new Event('visibilitychange'));
    };
    change();
    expect(calls).toEqual(['woke', 'woke', 'seen']);
    page.document.hidden = true;
    page.document.dispatchEvent(new Event('visibilitychange'));
    expect(calls).toHaveLength(3);
    stop();
    page.document.hidden = false;
    change();
    expect(calls).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(0);
  });
});
