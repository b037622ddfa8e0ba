import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { browser } from '../page.ts';
import { load, openStillPage, type StillPage } from '../still-page.ts';

const [drafts, hearing, store] = await load('#web/net/drafts.ts', '#web/net/hearing.ts', '#web/net/store.ts');

const SAVED_MS = 1_500;
const logo = { type: 'stream', channelId: 9, topic: 'logo' };
const toAda = { type: 'private', userIds: [2] };
const KEY_OF_LOGO = 'draft 1 channel:9 topic:logo';

let page: StillPage;
let stop: () => void;
beforeEach(() => {
  page = openStillPage({ drafts: [], user_settings: { enable_drafts_synchronization: true } } as never);
  vi.stubGlobal('localStorage', browser.localStorage);
  for (const name of Object.keys(browser.localStorage)) delete browser.localStorage[name];
  store.connection.value = { status: 'connected' };
  page.answer = () => ({ body: { ids: [1] } });
  stop = drafts.watchDrafts();
  serve();
});
afterEach(() => {
  stop();
  page.close();
});

const asked = () => page.calls.map(({ call }) => call);
/** The service has these drafts now, and says so. */
function serve(...all: object[]): void {
  store.state.value = { server: { ...store.server.value, drafts: all } };
  hearing.notifyListeners([{ id: 1, type: 'drafts' }], store.server.value);
}
const nowSeconds = () => Math.floor(page.nowMs() / 1000);
const kept = (content: string, fields: object = {}) => ({
  ...{ id: 1, type: 'stream', to: [9], topic: 'Logo', content, timestamp: nowSeconds(), ...fields },
});
const contents = () => drafts.localDrafts().map(({ content }: { content: string }) => content);
const synchronize = (enable_drafts_synchronization: boolean) => {
  store.state.value = { server: { ...store.server.value, user_settings: { enable_drafts_synchronization } } };
};
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
  test('Saves a second and a half after its last letter, in its last state', async () => {
    drafts.keepDraft(logo, 'So');
    await page.pass(SAVED_MS - 1);
    drafts.keepDraft(logo, 'Soup');
    const timestamp = nowSeconds();
    await page.pass(SAVED_MS - 1);
    expect(asked()).toEqual([]);
    await page.pass(1);
    expect(page.calls).toEqual([
      {
        ...{ call: 'POST /drafts', key: expect.any(String), afterMs: 2 * SAVED_MS - 1 },
        params: {
          drafts: JSON.stringify([{ type: 'stream', to: [9], topic: 'logo', content: 'Soup', timestamp }]),
        },
      },
    ]);
  });

  test('Has no topic if it is for people', async () => {
    drafts.keepDraft(toAda, 'Hello');
    await page.pass(SAVED_MS);
    expect(JSON.parse(page.calls[0]?.params.drafts ?? '')).toMatchObject([
      { type: 'private', to: [2], topic: '' },
    ]);
  });

  test('Keeps its id at the service if it continues, before the event and after', async () => {
    for (const text of ['So', 'Sou']) {
      drafts.keepDraft(logo, text);
      await page.pass(SAVED_MS);
    }
    serve(kept('Sou', { id: 7 }));
    drafts.keepDraft(logo, 'Soup');
    await page.pass(SAVED_MS);
    expect(asked()).toEqual(['POST /drafts', 'PATCH /drafts/1', 'PATCH /drafts/7']);
    expect(JSON.parse(page.calls[2]?.params.draft ?? '')).toMatchObject({ topic: 'logo', content: 'Soup' });
  });

  test('Gets another id if the service has none', async () => {
    for (const text of ['Soup', 'Salad']) {
      drafts.keepDraft(logo, text);
      await page.pass(SAVED_MS);
      serve();
    }
    expect(asked()).toEqual(['POST /drafts', 'POST /drafts']);
  });

  test('Saves again if the service gave it no id', async () => {
    page.answer = () => ({ body: { ids: [] } });
    for (const text of ['Soup', 'Salad']) {
      drafts.keepDraft(logo, text);
      await page.pass(SAVED_MS);
    }
    expect(asked()).toEqual(['POST /drafts', 'POST /drafts']);
  });

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

  test('Leaves the device as soon as it was saved if the service has it already', async () => {
    serve(kept('Soup', { timestamp: nowSeconds() - 60 }));
    drafts.keepDraft(logo, 'Soup');
    await page.pass(SAVED_MS);
    expect(contents()).toEqual([]);
  });

  test('Stays on the device only if the viewer chose that', async () => {
    synchronize(false);
    expect(changesIn(() => drafts.keepDraft(logo, 'Soup'))).toBe(1);
    await page.pass(60_000);
    expect(asked()).toEqual([]);
    expect(contents()).toEqual(['Soup']);
    expect(drafts.readOutside(logo)).toBeUndefined();
    expect(changesIn(() => drafts.endDraft(logo))).toBe(1);
    expect(changesIn(() => drafts.endDraft(logo))).toBe(0);
    expect(contents()).toEqual([]);
    serve(kept('Soup'));
    drafts.endDraft(logo);
    expect([contents(), drafts.readOutside(logo)]).toEqual([[], undefined]);
    await page.pass(60_000);
    expect(asked()).toEqual([]);
  });

  test('Becomes that of another device if this one has no unsaved text', () => {
    expect(drafts.readOutside(logo)).toBe('');
    serve(kept('Salad'));
    expect([drafts.readOutside(logo), drafts.readDraft(logo)]).toEqual(['Salad', 'Salad']);
    drafts.keepDraft(logo, 'Soup');
    expect([drafts.readOutside(logo), drafts.readDraft(logo)]).toEqual([undefined, 'Soup']);
  });
});

describe('A draft that ends', () => {
  test('Disappears from the service at once, and from the device after eleven seconds', async () => {
    drafts.keepDraft(logo, 'Soup');
    await page.pass(SAVED_MS);
    serve(kept('Soup'));
    drafts.keepDraft(logo, ' ');
    await page.pass(0);
    expect(asked()).toEqual(['POST /drafts', 'DELETE /drafts/1']);
    serve();
    await page.pass(10_999);
    expect(contents()).toEqual([' ']);
    await page.pass(1);
    expect(contents()).toEqual([]);
  });

  test('Leaves nothing to save if the service never got it', async () => {
    for (const text of ['Soup', ' ']) drafts.keepDraft(logo, text);
    expect(contents()).toEqual([]);
    await page.pass(60_000);
    expect(asked()).toEqual([]);
  });

  test('Disappears after a pending save, and a new text is another draft', async () => {
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

  test('Disappears here and there by its place and its id, and stays if the service refuses', async () => {
    drafts.keepDraft(logo, 'Soup');
    await drafts.removeDraft(undefined, 7);
    expect(contents()).toEqual(['Soup']);
    expect(asked()).toEqual(['DELETE /drafts/7']);
    page.answer = () => ({ status: 400, body: { msg: 'Not today' } });
    await expect(drafts.removeDraft(logo, 7)).rejects.toThrow('Not today');
    expect(contents()).toEqual(['Soup']);
    await drafts.removeDraft(logo, undefined);
    expect(contents()).toEqual([]);
    expect(asked()).toHaveLength(2);
  });
});

describe('A draft that could not be saved', () => {
  test.each([
    ['refuses', () => ({ status: 400, body: {} }), 0],
    ['cannot be reached', () => vi.fn().mockThrow(new TypeError('fetch failed'))(), 1],
  ])('Stays if the service %s, and is saved when the connection returns', async (_what, answer, count) => {
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
  });

  test('Does not go to the service if the viewer keeps drafts on the device since then', async () => {
    drafts.keepDraft(logo, 'Soup');
    stop();
    synchronize(false);
    stop = drafts.watchDrafts();
    await page.pass(60_000);
    expect(asked()).toEqual([]);
  });
});

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

describe('A draft in two tabs', () => {
  test('Has the text of the other tab until this tab changes it', () => {
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
});

describe('A page that is closed', () => {
  test('No longer watches the drafts that it saved', async () => {
    for (const text of ['Soup', 'Salad']) {
      drafts.keepDraft(logo, text);
      await page.pass(2_000);
    }
    expect(asked()).toEqual(['POST /drafts', 'PATCH /drafts/1']);
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('Saves no draft any more', async () => {
    drafts.keepDraft(logo, 'Soup');
    stop();
    store.connection.value = { status: 'trying' };
    store.connection.value = { status: 'connected' };
    await page.pass(5_000);
    expect(asked()).toEqual([]);
    expect(JSON.parse(browser.localStorage[KEY_OF_LOGO] as string)).toMatchObject({ content: 'Soup' });
  });

  test('Waits for nothing if its last save is answered afterwards', async () => {
    drafts.keepDraft(logo, 'Soup');
    page.answer = () => {
      stop();
      return { body: { ids: [1] } };
    };
    await page.pass(SAVED_MS);
    expect(asked()).toEqual(['POST /drafts']);
    expect(vi.getTimerCount()).toBe(0);
  });
});
