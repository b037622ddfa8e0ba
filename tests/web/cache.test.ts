import { expect, test } from 'vitest';
import { addPage, applyToCache, emptyCache, keepRuns, trimRun } from '#web/state/cache.ts';
import { addMatches, loosen, undecidedRuns } from '#web/state/feed/matches.ts';
import { keyOfNarrow, type Narrow, topicNarrow } from '#web/state/narrow.ts';
import type { WireEvent } from '#web/state/wire-events.ts';
import { message, snapshot } from './scene.ts';

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
  const event = { id: 1, type: 'message', message: message(8), flags: [] } as unknown as WireEvent;
  expect(idsOf(applyToCache(open, [event], viewer))).toEqual([5, 8]);
  expect(idsOf(applyToCache(old, [event], viewer))).toEqual([5]);
});

test('A moved message leaves its old topic and appears in its new one', () => {
  const other = topicNarrow(9, 'print');
  const otherKey = keyOfNarrow(other);
  const both = addPage(
    addPage(emptyCache, key, page([5, 6], { hasOldest: true, hasNewest: true })),
    otherKey,
    { ...page([], { hasOldest: true, hasNewest: true }, other) },
  );
  const event = {
    id: 1,
    type: 'update_message',
    message_id: 6,
    message_ids: [6],
    flags: [],
    stream_id: 9,
    orig_subject: 'logo',
    subject: 'print',
    edit_timestamp: 1,
    rendering_only: false,
  } as WireEvent;
  const after = applyToCache(both, [event], viewer);
  expect(idsOf(after)).toEqual([5]);
  expect(after.runs.get(otherKey)?.ids).toEqual([6]);
});

test('A moved message joins a run only between the messages that the run has', () => {
  const print = topicNarrow(9, 'print');
  const printKey = keyOfNarrow(print);
  const known = addPage(emptyCache, key, page([2, 6, 9]));
  const both = addPage(known, printKey, page([4, 8], {}, print));
  const event = {
    ...{ id: 1, type: 'update_message', message_id: 2, message_ids: [2, 6, 9], flags: [], stream_id: 9 },
    ...{ orig_subject: 'logo', subject: 'print', edit_timestamp: 1, rendering_only: false },
  } as WireEvent;
  expect(applyToCache(both, [event], viewer).runs.get(printKey)?.ids).toEqual([4, 6, 8]);
});

test.each([
  ['is moved', 'print', 77],
  ['is resolved, which is no move', '✔ logo', undefined],
])(
  'A message has the time of its move unless it was only resolved: its topic %s',
  (_what, subject, moved) => {
    const before = addPage(emptyCache, key, page([5]));
    const event = {
      ...{ id: 1, type: 'update_message', message_id: 5, message_ids: [5], flags: [], stream_id: 9 },
      ...{ orig_subject: 'logo', subject, edit_timestamp: 77, rendering_only: false },
    } as WireEvent;
    expect(applyToCache(before, [event], viewer).byId.get(5)?.last_moved_timestamp).toBe(moved);
  },
);

test('The same reaction appears once if its event comes twice', () => {
  const before = addPage(emptyCache, key, page([5]));
  const event = {
    id: 1,
    type: 'reaction',
    op: 'add',
    message_id: 5,
    emoji_name: 'tada',
    emoji_code: '1f389',
    reaction_type: 'unicode_emoji',
    user_id: 2,
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
  const narrows = ['a', 'b', 'c'].map((topic) => topicNarrow(9, topic));
  const all = narrows.reduce(
    (cache, narrow) => addPage(cache, keyOfNarrow(narrow), page([1], {}, narrow)),
    emptyCache,
  );
  const kept = keepRuns(all, keyOfNarrow(topicNarrow(9, 'a')), 2);
  expect([...kept.runs.keys()]).toEqual([keyOfNarrow(topicNarrow(9, 'c')), keyOfNarrow(topicNarrow(9, 'a'))]);
  const again = keepRuns(all, keyOfNarrow(topicNarrow(9, 'c')), 2);
  expect([...again.runs.keys()]).toEqual([
    keyOfNarrow(topicNarrow(9, 'b')),
    keyOfNarrow(topicNarrow(9, 'c')),
  ]);
  expect(keepRuns(all, keyOfNarrow(topicNarrow(9, 'a')), 3).byId).toBe(all.byId);
});

test('A search adds a new message if the service reports a match, with its words marked', () => {
  const search: Narrow = [{ operator: 'search', operand: 'quince' }];
  const found = keyOfNarrow(search);
  const open = addPage(emptyCache, found, page([5], { hasNewest: true }, search));
  const event = { id: 1, type: 'message', message: message(8), flags: [] } as unknown as WireEvent;
  const after = applyToCache(open, [event], viewer);
  expect(after.runs.get(found)?.ids).toEqual([5]);
  expect(undecidedRuns(after, message(8), viewer)).toEqual([found]);
  const matched = addMatches(after, found, { 8: { match_content: '<mark>' } });
  expect(matched.runs.get(found)?.ids).toEqual([5, 8]);
  expect(matched.byId.get(8)?.match_content).toBe('<mark>');
  expect(addMatches(after, found, {})).toBe(after);
});

test('A search that is not on the screen is fetched again from its end after a possible match', () => {
  const search: Narrow = [{ operator: 'has', operand: 'link' }];
  const open = addPage(emptyCache, keyOfNarrow(search), page([5], { hasNewest: true }, search));
  const loose = loosen(open, undecidedRuns(open, message(8), viewer));
  expect(loose.runs.get(keyOfNarrow(search))).toMatchObject({ ids: [5], hasNewest: false });
  expect(undecidedRuns(loose, message(9), viewer)).toEqual([]);
});

test('The combined feed shows a new message of a channel that is not muted', () => {
  const combined: Narrow = [{ operator: 'in', operand: 'home' }];
  const open = addPage(emptyCache, 'combined', page([5], { hasNewest: true }, combined));
  const came = (id: number, stream_id: number) =>
    ({ id, type: 'message', message: message(id, { stream_id }), flags: [] }) as unknown as WireEvent;
  // The viewer of the scene mutes channel 10.
  const after = applyToCache(open, [came(8, 9), came(9, 10)], snapshot());
  expect(after.runs.get('combined')?.ids).toEqual([5, 8]);
});
