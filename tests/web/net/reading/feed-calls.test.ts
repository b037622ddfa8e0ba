import { beforeEach, describe, expect, test } from 'vitest';
import { keyOfNarrow, type Narrow } from '#web/state/narrow.ts';
import { message } from '../../scene.ts';
import { load, useStillPage } from '../still-page.ts';

const [pages, store] = await load('#web/net/pages.ts', '#web/net/store.ts');

const topic = (name: string): Narrow => [
  { operator: 'channel', operand: '9' },
  { operator: 'topic', operand: name },
];
const logo = topic('logo');
const page = useStillPage();
beforeEach(() => {
  pages.loading.value = new Map();
  find([5, 6, 7]);
});

/** The service finds these messages next, and no end. */
function find(ids: number[], more: object = {}): void {
  const messages = ids.map((id) => message(id));
  page.answer = () => ({ body: { messages, found_oldest: false, found_newest: false, ...more } });
}
const run = (narrow = logo) => store.cache.value.runs.get(keyOfNarrow(narrow));

describe('A feed', () => {
  test('Gets requested again if nothing was found, since its end is unknown', async () => {
    find([]);
    await pages.openRun(logo, 'first_unread');
    await pages.openRun(logo, 'first_unread');
    expect(page.calls).toHaveLength(2);
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
});
