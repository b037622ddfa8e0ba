import { expect } from 'vitest';
import type { StillPage } from '../still-page.ts';

/**
 * An action of the viewer, and the call that the page makes for it; `once` is one that may be repeated without harm.
 */
export type Wish = [wish: () => Promise<unknown>, call: string, params?: object, isOnce?: 'once'];

/** Does all that is wished, and expects exactly these calls; a parameter that is no text is JSON. */
export async function expectAsked(page: StillPage, wishes: Wish[]): Promise<void> {
  for (const [wish, call, params = {}, isOnce] of wishes) {
    page.calls.length = 0;
    await wish();
    const texts = Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    expect(page.calls.map(({ afterMs: _, ...one }) => one)).toEqual([
      { call, params: Object.fromEntries(texts), ...(isOnce && { key: expect.any(String) }) },
    ]);
  }
}
