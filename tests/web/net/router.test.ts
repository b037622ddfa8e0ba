import { beforeEach, expect, test, vi } from 'vitest';
import { topicNarrow } from '#web/state/narrow.ts';
import { browser } from './page.ts';
import { load, useStillPage } from './still-page.ts';

const [router, store] = await load('#web/net/router.ts', '#web/net/store.ts');

const page = useStillPage();
/** The entries of the history of the browser, the newest last. */
let entries: { state: unknown; address: string }[];
const history = {
  get state() {
    return entries.at(-1)?.state;
  },
  pushState: (state: unknown, _title: string, address: string) => {
    entries.push({ state, address });
    follow();
  },
  replaceState: (state: unknown, _title: string, address = entries.at(-1)?.address ?? '') => {
    entries.splice(-1, 1, { state, address });
    follow();
  },
};
const follow = () => {
  const address = entries.at(-1)?.address ?? '';
  page.location.hash = address.startsWith('#') ? address : '';
};
/** The viewer goes back, or enters an address; the browser reports it in this way. */
const arrive = (hash: string, by: 'popstate' | 'hashchange') => {
  entries.push({ state: null, address: hash });
  follow();
  browser.window.dispatchEvent(new Event(by));
};

beforeEach(() => {
  vi.stubGlobal('history', history);
  entries = [{ state: null, address: '/' }];
  router.goInstead('#start');
  entries = [{ state: null, address: '#start' }];
});

const addresses = () => entries.map(({ address }) => address);

test('The viewer goes from view to view, and returns to each', () => {
  router.go('#inbox');
  expect(router.route.value).toMatchObject({ view: 'inbox' });
  expect(addresses()).toEqual(['#start', '#inbox']);
  router.go('#inbox');
  expect(addresses()).toEqual(['#start', '#inbox']);
  router.goInstead('#drafts');
  expect(router.route.value).toMatchObject({ view: 'drafts' });
  expect(addresses()).toEqual(['#start', '#drafts']);
  router.go('');
  expect(addresses()).toEqual(['#start', '#drafts', '/']);
});

test.each(['popstate', 'hashchange'] as const)(
  'The page shows the address to which the browser leads by %s',
  (by) => {
    arrive('#inbox', by);
    expect(router.route.value).toMatchObject({ view: 'inbox' });
    arrive('#drafts', by);
    expect(router.route.value).toMatchObject({ view: 'drafts' });
  },
);

test('An old link that names a channel leads to it as soon as the channels are known', () => {
  const known = store.state.value;
  store.state.value = undefined;
  router.go('#narrow/stream/design');
  const named = { view: 'narrow', narrow: [{ operator: 'channel', operand: 'design' }] };
  expect(router.route.value).toMatchObject(named);
  store.state.value = known;
  expect(router.route.value).toMatchObject({ narrow: [{ operator: 'channel', operand: '9' }] });
  router.go('#narrow/channel/10-random');
  expect(router.route.value).toMatchObject({ narrow: [{ operator: 'channel', operand: '10' }] });
});

test('Changes of channels leave a view unchanged that names none', () => {
  router.go('#narrow/channel/9-design');
  const before = router.route.value;
  page.set({ subscriptions: [...store.server.value.subscriptions] });
  expect(router.route.value).toBe(before);
});

test('A narrow has an address with current names, and opens there', () => {
  const narrow = topicNarrow(9, 'logo');
  expect(router.linkTo(narrow)).toBe('#narrow/channel/9-design/topic/logo');
  router.openNarrow(narrow, 5);
  expect(addresses()).toEqual(['#start', '#narrow/channel/9-design/topic/logo/near/5']);
  expect(router.route.value).toMatchObject({ view: 'narrow', narrow });
});

test('An entry of the history has the position of its feed, and no other does', () => {
  expect(router.notedPlace()).toBeUndefined();
  const place = { messageId: 5, offsetPx: 12 };
  router.notePlace(place);
  expect(addresses()).toEqual(['#start']);
  expect(router.notedPlace()).toEqual(place);
  router.go('#inbox');
  expect(router.notedPlace()).toBeUndefined();
  router.notePlace(place);
  router.goInstead('#drafts');
  expect(router.notedPlace()).toBeUndefined();
  router.notePlace(place);
  router.notePlace(undefined);
  expect(entries.at(-1)).toEqual({ state: {}, address: '#drafts' });
});

test.each([
  ['#inbox', '#inbox'],
  ['/#inbox', '#inbox'],
  ['https://chat.example.com/#inbox', '#inbox'],
  ['https://chat.example.com/', undefined],
  ['https://chat.example.com/login/#inbox', undefined],
  ['https://elsewhere.example.com/#inbox', undefined],
  ['https://[', undefined],
])('The page itself follows the link %s to %s', (href, fragment) => {
  expect(router.fragmentOf(href)).toBe(fragment);
});
