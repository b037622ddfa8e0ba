import { expect, test, vi } from 'vitest';
import { load, openStillPage } from './still-page.ts';

const [drafts] = await load('#web/net/drafts.ts');

test('a page that is closed looks no more at the drafts that it saved', async () => {
  const page = openStillPage({ drafts: [], user_settings: { enable_drafts_synchronization: true } } as never);
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  });
  page.answer = () => ({ body: { ids: [1] } });
  const stop = drafts.watchDrafts();
  drafts.keepDraft({ type: 'stream', channelId: 9, topic: 'logo' }, 'Soup');
  await page.pass(5_000);
  expect(page.calls).toMatchObject([{ call: 'POST /drafts' }]);
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  stop();
  const waiting = vi.getTimerCount();
  page.close();
  expect(waiting).toBe(0);
});
