import { expect, test, vi } from 'vitest';
import { load, openStillPage } from './still-page.ts';

const [drafts] = await load('#web/net/drafts.ts');

/** A page that keeps a draft in its own storage, and how to end its watch of drafts. */
function openWithDraft() {
  const page = openStillPage({ drafts: [], user_settings: { enable_drafts_synchronization: true } } as never);
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  });
  const stop: () => void = drafts.watchDrafts();
  drafts.keepDraft({ type: 'stream', channelId: 9, topic: 'logo' }, 'Soup');
  return { page, stop };
}

test('a page that is closed looks no more at the drafts that it saved', async () => {
  const { page, stop } = openWithDraft();
  page.answer = () => ({ body: { ids: [1] } });
  await page.pass(5_000);
  expect(page.calls).toMatchObject([{ call: 'POST /drafts' }]);
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  stop();
  const waiting = vi.getTimerCount();
  page.close();
  expect(waiting).toBe(0);
});

test('a page that is closed saves no draft any more', async () => {
  const { page, stop } = openWithDraft();
  stop();
  await page.pass(5_000);
  const { calls } = page;
  page.close();
  expect(calls).toEqual([]);
});
