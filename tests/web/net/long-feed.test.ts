import { beforeEach, expect, test } from 'vitest';
import { emptyCache } from '#web/state/cache.ts';
import { keyOfNarrow, type Narrow } from '#web/state/narrow.ts';
import { message } from '../scene.ts';
import { load, useStillPage } from './still-page.ts';

const [pages, store] = await load('#web/net/pages.ts', '#web/net/store.ts');
/** As many messages as a feed keeps. */
const MOST = 2_000;
const narrow: Narrow = [{ operator: 'channel', operand: '9' }];
const key = keyOfNarrow(narrow);
const ids = Array.from({ length: MOST }, (_, n) => 100 + n);

const page = useStillPage();
const run = () => store.cache.value.runs.get(key);

beforeEach(() => {
  store.cache.value = {
    ...emptyCache,
    byId: new Map(ids.map((id) => [id, message(id)])),
    runs: new Map([[key, { narrow, ids, hasOldest: false, hasNewest: false }]]),
  };
});

test.each([
  { end: 'older', found: [98, 99, 100], kept: [98, 99, ...ids.slice(0, -2)] },
  { end: 'newer', found: [2_099, 2_100, 2_101], kept: [...ids.slice(2), 2_100, 2_101] },
])(
  'A feed that grows at its $end end drops as much at the other, once it holds 2000 messages',
  async (side) => {
    const isOlder = side.end === 'older';
    const found = {
      messages: side.found.map((id) => message(id)),
      found_oldest: isOlder,
      found_newest: !isOlder,
    };
    page.answer = () => ({ body: found });
    await pages.extendRun(narrow, side.end);
    expect(run().ids).toHaveLength(MOST + 2);
    await page.pass(1);
    expect(run()).toMatchObject({ ids: side.kept, hasOldest: isOlder, hasNewest: !isOlder });
  },
);
