import { afterEach, beforeEach, expect, test } from 'vitest';
import { message } from '../scene.ts';
import { load, useStillPage } from './still-page.ts';

const [matching, pages, store] = await load('#web/net/matching.ts', '#web/net/pages.ts', '#web/net/store.ts');

const soup = [{ operator: 'search', operand: 'soup' }];
const bread = [{ operator: 'search', operand: 'bread' }];
const run = (narrow: { operator: string; operand: string }[]) => ({
  ...{ narrow, ids: [1], hasOldest: true, hasNewest: true },
});

const page = useStillPage({ user_id: 1 });
let stop: () => void;
let hide: () => void;
beforeEach(() => {
  page.answer = () => ({ body: { messages: {} } });
  store.cache.value = {
    byId: new Map([[1, message(1)]]),
    runs: new Map([
      ['search:soup', run(soup)],
      ['search:bread', run(bread)],
    ]),
    topics: new Map(),
  };
  hide = pages.show({ narrow: soup, placeOf: () => undefined });
  stop = matching.watchMatches();
});
afterEach(() => {
  stop();
  hide();
});

/** A message arrives, and is in neither of the two feeds yet. */
function come(id: number, flags: string[] = []): void {
  const arrival = message(id);
  const byId = new Map(store.cache.value.byId).set(id, arrival);
  store.cache.value = { ...store.cache.value, byId };
  page.receive({ id, type: 'message', message: arrival, flags });
}
const asked = () =>
  page.calls.map(
    ({ afterMs, call }) => `${afterMs} ${new URLSearchParams(call.split('?')[1]).get('msg_ids')}`,
  );
const runOf = (word: string) => store.cache.value.runs.get(`search:${word}`);

test('The service is asked once about the messages of 300 milliseconds', async () => {
  come(2);
  await page.pass(299);
  come(3);
  expect(page.calls).toEqual([]);
  await page.pass(1);
  expect(asked()).toEqual(['300 [2,3]']);
  expect(page.calls[0]?.call).toMatch(/^GET \/messages\/matches_narrow\?/);
  const query = new URLSearchParams(page.calls[0]?.call.split('?')[1]);
  expect(JSON.parse(query.get('narrow') ?? '')).toMatchObject(soup);
  come(4);
  await page.pass(1_000);
  expect(asked()).toEqual(['300 [2,3]', '600 [4]']);
});

test('A matching message extends the feed on the screen, with its highlights', async () => {
  page.answer = () => ({ body: { messages: { 3: { match_content: 'found' } } } });
  come(2);
  come(3);
  await page.pass(300);
  expect(runOf('soup')).toMatchObject({ ids: [1, 3], hasNewest: true });
  expect(store.cache.value.byId.get(3)).toMatchObject({ match_content: 'found' });
  expect(runOf('bread')).toMatchObject({ ids: [1], hasNewest: false });
});

test('A feed in the background is fetched when it is shown, and the service is not asked', async () => {
  hide();
  hide = pages.show({ narrow: [{ operator: 'channel', operand: '9' }], placeOf: () => undefined });
  come(2);
  await page.pass(1_000);
  expect(page.calls).toEqual([]);
  expect([runOf('soup').hasNewest, runOf('bread').hasNewest]).toEqual([false, false]);
});

test('A message that no search could show causes no request, and changes nothing', async () => {
  store.cache.value = { ...store.cache.value, runs: new Map() };
  const { value } = store.cache;
  page.receive({ id: 2, type: 'message', message: message(2), flags: [] });
  await page.pass(1_000);
  expect(store.cache.value).toBe(value);
  expect(page.calls).toEqual([]);
});
