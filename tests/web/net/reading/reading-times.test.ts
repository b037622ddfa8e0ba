import { beforeEach, describe, expect, test, vi } from 'vitest';
import { emptyCache } from '#web/state/cache.ts';
import { message, VIEWER } from '../../scene.ts';
import { load, useStillPage } from '../still-page.ts';

const [reading, store] = await load('#web/net/reading.ts', '#web/net/store.ts');

const TOGETHER_MS = 800;
const page = useStillPage();
beforeEach(() => {
  store.cache.value = { ...emptyCache, byId: new Map([7, 8, 9].map((id) => [id, message(id)])) };
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});

const reported = () => page.calls.map(({ afterMs, params }) => [afterMs, params.messages]);
const refuse = (status: number) => {
  page.answer = () => ({ status, body: { msg: 'Not today' } });
};

describe('Messages that the viewer has read', () => {
  test('Go to the service a thousand at once, the others after a moment', async () => {
    reading.markRead(Array.from({ length: 1_001 }, (_, n) => n + 1));
    await page.pass(TOGETHER_MS);
    expect(page.calls.map(({ params }) => JSON.parse(params.messages ?? '').length)).toEqual([1_000]);
    await page.pass(TOGETHER_MS);
    expect(reported().slice(1)).toEqual([[2 * TOGETHER_MS, '[1001]']]);
    await page.pass(60_000);
    expect(page.calls).toHaveLength(2);
  });

  test('Go to the service after the current ones if they come meanwhile', async () => {
    page.answer = () => {
      if (page.calls.length === 1) reading.markRead([8]);
      return { body: {} };
    };
    reading.markRead([7]);
    await page.pass(60_000);
    expect(reported()).toEqual([
      [TOGETHER_MS, '[7]'],
      [2 * TOGETHER_MS, '[8]'],
    ]);
  });

  test.each([429, 500])(
    'Go to the service again ten seconds after the last of some attempts failed: %i',
    async (status) => {
      const body = status === 429 ? { 'retry-after': 6 } : {};
      page.answer = () => ({ status, body });
      reading.markRead([7]);
      const triesMs = status === 429 ? 0 : 800 + 1_600 + 3_200;
      await page.pass(TOGETHER_MS + triesMs);
      const { length } = page.calls;
      page.answer = () => ({ body: {} });
      reading.markRead([8]);
      await page.pass(9_999);
      expect(page.calls).toHaveLength(length);
      await page.pass(1);
      expect(reported().slice(length)).toEqual([[TOGETHER_MS + triesMs + 10_000, '[7,8]']]);
      await page.pass(60_000);
      expect(page.calls).toHaveLength(length + 1);
    },
  );

  test('Go to the service again if it could not be reached', async () => {
    page.answer = () => {
      throw new TypeError('fetch failed');
    };
    reading.markRead([7]);
    await page.pass(TOGETHER_MS + 800 + 1_600 + 3_200);
    page.answer = () => ({ body: {} });
    await page.pass(10_000);
    expect(reported().at(-1)).toEqual([TOGETHER_MS + 5_600 + 10_000, '[7]']);
  });

  test('Do not go to the service again if it refuses, but may be marked again', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    refuse(499);
    reading.markRead([7]);
    await page.pass(60_000);
    expect(warned.mock.calls).toEqual([['Messages could not be marked as read', 'Not today']]);
    expect(page.calls).toHaveLength(1);
    reading.markRead([7, 8]);
    await page.pass(TOGETHER_MS);
    expect(reported().slice(1)).toEqual([[expect.any(Number), '[7,8]']]);
  });
});

describe('A prefetched conversation', () => {
  const event = { type: 'alert_words', alert_words: ['soup'] };

  test('Appears at once, and nothing before the service was asked', () => {
    reading.foresee(event);
    expect(store.server.value.alert_words).toEqual(['soup']);
    store.state.value = undefined;
    reading.foresee(event);
    expect(store.state.value).toBeUndefined();
  });

  test('At a message opens at that message', () => {
    const flags = { type: 'update_message_flags', op: 'add', flag: 'starred', messages: [8], all: false };
    reading.foresee(flags);
    expect(store.cache.value.byId.get(8).flags).toEqual(['starred']);
    expect(store.server.value.starred_messages).toEqual([8]);
    expect(store.server.value.user_id).toBe(VIEWER);
  });
});
