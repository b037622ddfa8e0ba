import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emptyCache } from '#web/state/cache.ts';
import { keyOfNarrow, type Narrow } from '#web/state/narrow.ts';
import { message } from '../../scene.ts';
import { load, openStillPage, type StillPage } from '../still-page.ts';

const [pages, store] = await load('#web/net/pages.ts', '#web/net/store.ts');

const topic = (name: string): Narrow => [
  { operator: 'channel', operand: '9' },
  { operator: 'topic', operand: name },
];
const logo = topic('logo');
const key = keyOfNarrow(logo);
const SHAPE = { apply_markdown: 'true', client_gravatar: 'true', allow_empty_topic_name: 'true' };

let page: StillPage;
beforeEach(() => {
  page = openStillPage({});
  pages.loading.value = new Map();
  store.cache.value = emptyCache;
  find([5, 6, 7]);
});
afterEach(() => {
  store.cache.value = emptyCache;
  page.close();
});

/** The service finds these messages next, and no end. */
function find(ids: number[], more: object = {}): void {
  const messages = ids.map((id) => message(id));
  page.answer = () => ({ body: { messages, found_oldest: false, found_newest: false, ...more } });
}
const refuse = () => {
  page.answer = () => ({ status: 400, body: { msg: 'Not today' } });
};
const run = (narrow = logo) => store.cache.value.runs.get(keyOfNarrow(narrow));
const loading = () => pages.loading.value.get(key);
/** The requests for messages, without the narrow and the form of each. */
const asked = () =>
  page.calls.map(({ call }) => {
    const params = Object.fromEntries(new URLSearchParams(call.split('?')[1]));
    expect(params).toMatchObject(SHAPE);
    const { anchor, num_before, num_after, narrow } = params;
    expect(JSON.parse(narrow ?? '')).toHaveLength(2);
    return [anchor, num_before, num_after];
  });

describe('A feed', () => {
  test('Opens with 40 messages before its place and 60 after it, and grows by 100 at an end', async () => {
    const opening = pages.openRun(logo, 'first_unread');
    expect(loading()).toEqual({ isLoading: true });
    await pages.openRun(logo, 'newest');
    await pages.extendRun(logo, 'older');
    await opening;
    expect(loading()).toEqual({ isLoading: false });
    find([3, 4, 5]);
    const growing = pages.extendRun(logo, 'older');
    expect(loading()).toEqual({ isLoading: true });
    await pages.extendRun(logo, 'newer');
    await growing;
    find([7, 8], { found_oldest: true, found_newest: true });
    await pages.extendRun(logo, 'newer');
    expect(run()).toMatchObject({ ids: [3, 4, 5, 6, 7, 8], hasOldest: false, hasNewest: true });
    expect(loading()).toEqual({ isLoading: false });
    await pages.extendRun(logo, 'newer');
    find([2, 3], { found_oldest: true, found_newest: false });
    await pages.extendRun(logo, 'older');
    await pages.extendRun(logo, 'older');
    expect(run()).toMatchObject({ hasOldest: true, hasNewest: true });
    expect(asked()).toEqual([
      ['first_unread', '40', '60'],
      ['5', '100', '0'],
      ['7', '0', '100'],
      ['3', '100', '0'],
    ]);
  });

  test('Gets requested if it lacks the place, and shown at once if it has it', async () => {
    await pages.openRun(logo, 6);
    for (const anchor of [5, 6, 7, 'first_unread']) await pages.openRun(logo, anchor);
    expect(page.calls).toHaveLength(1);
    await pages.openRun(logo, 'newest');
    await pages.openRun(logo, 4);
    expect(asked().map(([anchor]) => anchor)).toEqual(['6', 'newest', '4']);
    find([], { found_newest: true });
    await pages.openRun(topic('empty'), 'newest');
    await pages.openRun(topic('empty'), 'newest');
    await pages.openRun(topic('empty'), 'first_unread');
    await pages.extendRun(topic('empty'), 'older');
    await pages.extendRun(topic('unknown'), 'older');
    expect(page.calls).toHaveLength(4);
  });

  test('Gets requested again if nothing was found, since its end is unknown', async () => {
    find([]);
    await pages.openRun(logo, 'first_unread');
    await pages.openRun(logo, 'first_unread');
    expect(page.calls).toHaveLength(2);
  });

  test('Shows why it cannot be fetched or grow, and keeps its messages', async () => {
    refuse();
    await pages.openRun(logo, 'newest');
    expect(loading()).toEqual({ isLoading: false, failure: 'Not today' });
    expect(run()).toBeUndefined();
    find([5, 6]);
    await pages.openRun(logo, 'newest');
    refuse();
    await pages.extendRun(logo, 'older');
    expect(loading()).toEqual({ isLoading: false, failure: 'Not today' });
    expect(run().ids).toEqual([5, 6]);
  });

  test('Stays among the 40 most recent ones', async () => {
    const open = (name: string) => pages.openRun(topic(name), 'first_unread');
    await open('first');
    await open('second');
    for (let n = 0; n < 38; n++) await open(`topic ${n}`);
    expect(store.cache.value.runs.size).toBe(40);
    await open('first');
    await open('last');
    expect(store.cache.value.runs.size).toBe(40);
    expect(run(topic('first'))).toBeDefined();
    expect(run(topic('second'))).toBeUndefined();
  });

  test('Connects to an answer that lacks the message at its end, and does not repeat it', async () => {
    await pages.openRun(logo, 'newest');
    find([3, 4]);
    await pages.extendRun(logo, 'older');
    expect(run().ids).toEqual([3, 4, 5, 6, 7]);
    find([1, 2]);
    const { byId } = store.cache.value;
    store.cache.value = { ...store.cache.value, byId: new Map([...byId].filter(([id]) => id !== 3)) };
    await pages.extendRun(logo, 'older');
    expect(run().ids).not.toContain(undefined);
  });
});

describe('The feed on the screen', () => {
  test('Gets fetched around its place, with 60 messages on each side', async () => {
    const hide = pages.show({ narrow: logo, placeOf: () => ({ messageId: 6, offsetPx: 0 }) });
    find([5, 6], { found_oldest: true });
    const fetched = await pages.fetchShown();
    expect(fetched.runs.get(key)).toMatchObject({ ids: [5, 6], hasOldest: true, hasNewest: false });
    find([5, 6], { found_newest: true });
    expect((await pages.fetchShown()).runs.get(key)).toMatchObject({ hasOldest: false, hasNewest: true });
    expect(asked()).toEqual([
      ['6', '60', '60'],
      ['6', '60', '60'],
    ]);
    refuse();
    expect(await pages.fetchShown()).toBeUndefined();
    hide();
    const { length } = page.calls;
    expect(await pages.fetchShown()).toBeUndefined();
    const hideOther = pages.show({ narrow: logo, placeOf: () => undefined });
    expect(await pages.fetchShown()).toBeUndefined();
    expect(page.calls).toHaveLength(length);
    hideOther();
  });

  test('Remains the last shown one, until that is gone', () => {
    const hide = pages.show({ narrow: logo, placeOf: () => undefined });
    const other = topic('other');
    const hideOther = pages.show({ narrow: other, placeOf: () => undefined });
    hide();
    expect(pages.shownNarrow()).toBe(other);
    hideOther();
    expect(pages.shownNarrow()).toBeUndefined();
  });
});

test('The topics of a channel are fetched once, the one without a name too', async () => {
  const topics = [{ name: '', max_id: 7 }];
  page.answer = () => ({ body: { topics } });
  await pages.loadTopics(9);
  await pages.loadTopics(9);
  await pages.loadTopics(10);
  expect(page.calls.map(({ call }) => call)).toEqual([
    'GET /users/me/9/topics?allow_empty_topic_name=true',
    'GET /users/me/10/topics?allow_empty_topic_name=true',
  ]);
  expect([...store.cache.value.topics.keys()]).toEqual([9, 10]);
  expect(store.cache.value.topics.get(9)).toEqual(topics);
});

test('A message is found on the page or else at the service, and none if that has none or refuses', async () => {
  find([7]);
  expect(await pages.findMessage(7)).toMatchObject({ id: 7 });
  const params = Object.fromEntries(new URLSearchParams(page.calls[0]?.call.split('?')[1]));
  expect(params).toEqual({ ...SHAPE, message_ids: '[7]' });
  find([]);
  expect(await pages.findMessage(8)).toBeUndefined();
  refuse();
  expect(await pages.findMessage(8)).toBeUndefined();
  store.cache.value = { ...emptyCache, byId: new Map([[8, message(8)]]) };
  expect(await pages.findMessage(8)).toMatchObject({ id: 8 });
  expect(page.calls).toHaveLength(3);
});
