import { expect, test } from 'vitest';
import { emptyCache } from '#web/state/cache.ts';
import { channelNarrow, keyOfNarrow, topicNarrow } from '#web/state/narrow.ts';
import { message } from '../../scene.ts';
import { load, useStillPage } from '../still-page.ts';

const [pages, store] = await load('#web/net/pages.ts', '#web/net/store.ts');
const page = useStillPage();

/** The service finds these messages next, and no end unless it says so. */
function find(ids: number[], ends: object = {}): void {
  const messages = ids.map((id) => message(id));
  page.answer = () => ({ body: { messages, found_oldest: false, found_newest: false, ...ends } });
}

test('A feed is requested again if nothing was found, since its end is unknown', async () => {
  find([]);
  for (const _time of ['first', 'second']) await pages.openRun(topicNarrow(9, 'logo'), 'first_unread');
  expect(page.calls).toHaveLength(2);
});

test('A feed stays among the 40 most recent ones', async () => {
  find([5, 6, 7]);
  const { cache } = store;
  const open = (name: string) => pages.openRun(topicNarrow(9, name), 'first_unread');
  await open('first');
  await open('second');
  for (let n = 0; n < 38; n++) await open(`topic ${n}`);
  expect(cache.value.runs.size).toBe(40);
  await open('first');
  await open('last');
  expect(cache.value.runs.size).toBe(40);
  const isKept = (name: string) => cache.value.runs.has(keyOfNarrow(topicNarrow(9, name)));
  expect([isKept('first'), isKept('second')]).toEqual([true, false]);
});

/** As many messages as a feed keeps. */
const MOST = 2_000;
const ids = Array.from({ length: MOST }, (_, n) => 100 + n);

test.each([
  { end: 'older', found: [98, 99, 100], kept: [98, 99, ...ids.slice(0, -2)] },
  { end: 'newer', found: [2_099, 2_100, 2_101], kept: [...ids.slice(2), 2_100, 2_101] },
])(
  'A feed that grows at its $end end drops as much at the other, once it holds 2000 messages',
  async (side) => {
    const narrow = channelNarrow(9);
    const key = keyOfNarrow(narrow);
    const run = () => store.cache.value.runs.get(key);
    const byId = new Map(ids.map((id) => [id, message(id)]));
    const runs = new Map([[key, { narrow, ids, hasOldest: false, hasNewest: false }]]);
    store.cache.value = { ...emptyCache, byId, runs };
    const isOlder = side.end === 'older';
    find(side.found, { found_oldest: isOlder, found_newest: !isOlder });
    await pages.extendRun(narrow, side.end);
    expect(run().ids).toHaveLength(MOST + 2);
    await page.pass(1);
    expect(run()).toMatchObject({ ids: side.kept, hasOldest: isOlder, hasNewest: !isOlder });
  },
);
