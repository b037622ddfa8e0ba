import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { browser, clearStorage } from '../page.ts';
import { load, useStillPage } from '../still-page.ts';

const [drafts, store] = await load('#web/net/drafts.ts', '#web/net/store.ts');

const SAVED_MS = 1_500;
const logo = { type: 'stream', channelId: 9, topic: 'logo' };
const KEY_OF_LOGO = 'draft 1 channel:9 topic:logo';

const page = useStillPage({ drafts: [], user_settings: { enable_drafts_synchronization: true } });
let stop: () => void;
beforeEach(() => {
  vi.stubGlobal('localStorage', browser.localStorage);
  clearStorage();
  page.answer = () => ({ body: { ids: [1] } });
  stop = drafts.watchDrafts();
  serve();
});
afterEach(() => stop());

const asked = () => page.calls.map(({ call }) => call);
/** The service has these drafts now, and says so. */
function serve(...all: object[]): void {
  page.set({ drafts: all });
  page.receive({ id: 1, type: 'drafts' });
}
const nowSeconds = () => Math.floor(page.nowMs() / 1000);
const kept = (content: string, fields: object = {}) => ({
  ...{ id: 1, type: 'stream', to: [9], topic: 'Logo', content, timestamp: nowSeconds(), ...fields },
});
const contents = () => drafts.localDrafts().map(({ content }: { content: string }) => content);
/** The number of change notices for the drafts of the device. */
function changesIn(act: () => void): number {
  const listener = vi.fn();
  const end = drafts.localDraftsChange.subscribe(listener);
  const before = listener.mock.calls.length;
  act();
  end();
  return listener.mock.calls.length - before;
}

describe('A draft in the composer', () => {
  test('Stays on the device until the service has this or a newer version', async () => {
    drafts.keepDraft(logo, 'Soup');
    await page.pass(SAVED_MS);
    serve(kept('Salad', { timestamp: nowSeconds() - 60 }));
    expect(contents()).toEqual(['Soup']);
    expect(changesIn(() => serve(kept(' Soup ')))).toBeGreaterThan(0);
    expect(contents()).toEqual([]);
    drafts.keepDraft(logo, 'Soup');
    expect(contents()).toEqual(['Soup']);
    serve(kept('Salad', { timestamp: nowSeconds() + 60 }));
    expect(contents()).toEqual([]);
  });

  test('Becomes that of another device if this one has no unsaved text', () => {
    expect(drafts.readOutside(logo)).toBe('');
    serve(kept('Salad'));
    expect([drafts.readOutside(logo), drafts.readDraft(logo)]).toEqual(['Salad', 'Salad']);
    drafts.keepDraft(logo, 'Soup');
    expect([drafts.readOutside(logo), drafts.readDraft(logo)]).toEqual([undefined, 'Soup']);
  });
});

test('A draft that ends disappears after a pending save, and a new text is another draft', async () => {
  const { resolve: answer, promise } = Promise.withResolvers<void>();
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (...request: Parameters<typeof fetch>) =>
    fetch(...request).then((reply) => promise.then(() => reply)),
  );
  drafts.keepDraft(logo, 'Soup');
  await page.pass(SAVED_MS);
  drafts.endDraft(logo);
  await page.pass(1_000);
  expect(asked()).toEqual(['POST /drafts']);
  answer();
  await page.pass(0);
  expect(asked()).toEqual(['POST /drafts', 'DELETE /drafts/1']);
  drafts.keepDraft(logo, 'Salad');
  await page.pass(SAVED_MS);
  expect(asked().slice(2)).toEqual(['POST /drafts']);
});

test.each([
  ['refuses', () => ({ status: 400, body: {} }), 0],
  ['cannot be reached', () => vi.fn().mockThrow(new TypeError('fetch failed'))(), 1],
])(
  'A draft that could not be saved stays if the service %s, and is saved when the connection returns',
  async (_what, answer, count) => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    page.answer = answer as never;
    drafts.keepDraft(logo, 'Soup');
    await page.pass(60_000);
    expect(contents()).toEqual(['Soup']);
    expect(warned).toHaveBeenCalledTimes(count);
    page.answer = () => ({ body: { ids: [1] } });
    page.calls.length = 0;
    store.connection.value = { status: 'trying' };
    await page.pass(SAVED_MS);
    expect(asked()).toEqual([]);
    store.connection.value = { status: 'connected' };
    await page.pass(SAVED_MS - 1);
    expect(asked()).toEqual([]);
    await page.pass(1);
    expect(asked()).toEqual(['POST /drafts']);
  },
);

describe('The drafts of a device', () => {
  const draft = JSON.stringify({ conversation: logo, content: 'Soup', timestamp: 1 });

  test('Include the readable ones of its viewer', () => {
    Object.assign(browser.localStorage, {
      ...{ 'draft 10 channel:9 topic:logo': draft, 'outbox 1 tab': draft, 'my draft 1 x': draft },
      ...{ [KEY_OF_LOGO]: draft, 'draft 1 channel:10 topic:logo': 'no JSON' },
    });
    expect(contents()).toEqual(['Soup']);
    expect(drafts.readDraft({ ...logo, channelId: 10 })).toBe('');
  });

  test('Change with other tabs, while the page watches them', () => {
    const happen = () => page.window.dispatchEvent(new Event('storage'));
    expect(changesIn(happen)).toBe(1);
    stop();
    expect(changesIn(happen)).toBe(0);
    expect(changesIn(() => serve())).toBe(0);
  });
});

test('A draft in two tabs has the text of the other tab until this tab changes it', () => {
  const content = 'Salad';
  const newValue = JSON.stringify({ conversation: logo, content, timestamp: 1 });
  const event = Object.assign(new Event('storage'), {
    key: KEY_OF_LOGO,
    newValue,
    storageArea: browser.localStorage,
  });
  browser.localStorage[KEY_OF_LOGO] = newValue;
  page.window.dispatchEvent(event);
  expect(drafts.readOtherTab(logo)).toEqual({ key: KEY_OF_LOGO, content });
  drafts.keepDraft(logo, 'Salad and bread');
  expect(drafts.readOtherTab(logo)).toBeUndefined();
});

test('A page that is closed saves no draft any more', async () => {
  drafts.keepDraft(logo, 'Soup');
  stop();
  store.connection.value = { status: 'trying' };
  store.connection.value = { status: 'connected' };
  await page.pass(5_000);
  expect(asked()).toEqual([]);
  expect(JSON.parse(browser.localStorage[KEY_OF_LOGO] as string)).toMatchObject({ content: 'Soup' });
});
