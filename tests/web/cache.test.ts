import { expect, test } from 'vitest';
import { addPage, applyToCache, emptyCache, keepRuns, trimRun } from '#web/state/cache.ts';
import { keyOfNarrow, type Narrow, topicNarrow } from '#web/state/narrow.ts';
import type { WireEvent } from '#web/state/wire-events.ts';
import { came, message, snapshot } from './scene.ts';

const viewer = snapshot();

const logo = topicNarrow(9, 'logo');
const key = keyOfNarrow(logo);

const page = (
  ids: number[],
  ends: { hasOldest?: boolean; hasNewest?: boolean } = {},
  narrow: Narrow = logo,
) => ({
  narrow,
  messages: ids.map((id) => message(id)),
  hasOldest: ends.hasOldest ?? false,
  hasNewest: ends.hasNewest ?? false,
});
/** Messages move to another topic of their channel. */
const moved = (ids: number[], subject: string) =>
  ({
    ...{ id: 1, type: 'update_message', message_id: ids[0], message_ids: ids, flags: [], stream_id: 9 },
    ...{ orig_subject: 'logo', subject, edit_timestamp: 77, rendering_only: false },
  }) as WireEvent;
const idsOf = (cache: typeof emptyCache): number[] | undefined => cache.runs.get(key)?.ids;

test('Overlapping pages of messages join into one run from the first to the last', () => {
  const first = addPage(emptyCache, key, page([5, 6, 7], { hasNewest: true }));
  const both = addPage(first, key, page([3, 4, 5], { hasOldest: true }));
  expect(both.runs.get(key)).toMatchObject({ ids: [3, 4, 5, 6, 7], hasOldest: true, hasNewest: true });
});

test('A page that overlaps a run removes neither of its ends', () => {
  const both = addPage(emptyCache, key, page([5, 6], { hasOldest: true, hasNewest: true }));
  const ends = (cache: typeof emptyCache) => {
    const run = cache.runs.get(key);
    return [run?.hasOldest, run?.hasNewest];
  };
  expect(ends(addPage(both, key, page([6])))).toEqual([true, true]);
  const none = addPage(emptyCache, key, page([5, 6]));
  expect(ends(addPage(none, key, page([6, 7], { hasNewest: true })))).toEqual([false, true]);
  expect(ends(addPage(none, key, page([4, 5], { hasOldest: true })))).toEqual([true, false]);
});

test('A page that does not overlap the run replaces it, so that a run never hides a gap', () => {
  const first = addPage(emptyCache, key, page([50, 51], { hasNewest: true }));
  expect(addPage(first, key, page([3, 4])).runs.get(key)).toMatchObject({ ids: [3, 4], hasNewest: false });
});

test('A new message joins the runs that show it and reach to the newest, and no others', () => {
  const open = addPage(emptyCache, key, page([5], { hasNewest: true }));
  const old = addPage(emptyCache, key, page([5]));
  expect(idsOf(applyToCache(open, [came(message(8))], viewer))).toEqual([5, 8]);
  expect(idsOf(applyToCache(old, [came(message(8))], viewer))).toEqual([5]);
});

test('A moved message leaves its old topic, and joins a run only between the messages that the run has', () => {
  const print = topicNarrow(9, 'print');
  const printKey = keyOfNarrow(print);
  const known = addPage(emptyCache, key, page([2, 6, 9]));
  const both = addPage(known, printKey, page([4, 8], {}, print));
  const after = applyToCache(both, [moved([2, 6, 9], 'print')], viewer);
  expect(after.runs.get(printKey)?.ids).toEqual([4, 6, 8]);
  expect(idsOf(after)).toEqual([]);
});

test.each([
  ['is moved', 'print', 77],
  ['is resolved, which is no move', '✔ logo', undefined],
])(
  'A message has the time of its move unless it was only resolved: its topic %s',
  (_what, subject, atSeconds) => {
    const before = addPage(emptyCache, key, page([5]));
    const after = applyToCache(before, [moved([5], subject)], viewer);
    expect(after.byId.get(5)?.last_moved_timestamp).toBe(atSeconds);
  },
);

test('The same reaction appears once if its event comes twice', () => {
  const before = addPage(emptyCache, key, page([5]));
  const event = {
    ...{ id: 1, type: 'reaction', op: 'add', message_id: 5, user_id: 2 },
    ...{ emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' },
  } as WireEvent;
  const after = applyToCache(before, [event, event], viewer);
  expect(after.byId.get(5)?.reactions).toHaveLength(1);
  expect(before.byId.get(5)?.reactions).toHaveLength(0);
});

test('A run that is cut at one end forgets those messages and can fetch them again', () => {
  const whole = addPage(emptyCache, key, page([1, 2, 3, 4], { hasOldest: true, hasNewest: true }));
  const cut = trimRun(whole, key, 'old', 2);
  expect(cut.runs.get(key)).toMatchObject({ ids: [3, 4], hasOldest: false, hasNewest: true });
  expect([...cut.byId.keys()]).toEqual([3, 4]);
  const middle = addPage(emptyCache, key, page([1, 2, 3, 4]));
  for (const end of ['old', 'new'] as const)
    expect(trimRun(middle, key, end, 2).runs.get(key)).toMatchObject({ hasOldest: false, hasNewest: false });
});

test('The most recently shown runs are kept', () => {
  const all = ['a', 'b', 'c'].reduce((cache, name) => addPage(cache, name, page([1])), emptyCache);
  const kept = (name: string) => [...keepRuns(all, name, 2).runs.keys()];
  expect(kept('a')).toEqual(['c', 'a']);
  expect(kept('c')).toEqual(['b', 'c']);
  expect(keepRuns(all, 'a', 3).byId).toBe(all.byId);
});

test('The combined feed shows a new message of a channel that is not muted', () => {
  const combined: Narrow = [{ operator: 'in', operand: 'home' }];
  const open = addPage(emptyCache, 'combined', page([5], { hasNewest: true }, combined));
  // The viewer of the scene mutes channel 10.
  const after = applyToCache(open, [came(message(8)), came(message(9, { stream_id: 10 }))], viewer);
  expect(after.runs.get('combined')?.ids).toEqual([5, 8]);
});
