import { expect, test } from 'vitest';
import { hearOfReturns, selectPresences } from '#shared/domain/presence/list.ts';
import type { Presence } from '#shared/domain/presence/presence.ts';

const NOW_SECONDS = 2_000_000_000;
const DAY_SECONDS = 24 * 3600;

const seenAgo = (ageSeconds: number): Presence =>
  ({ connectedAtSeconds: NOW_SECONDS - ageSeconds }) as Presence;

/** The ids of those who were seen so many seconds ago, by whether they are listed. */
function listed(agesSeconds: number[], historyDays: number, lastUpdateId: number) {
  const known = agesSeconds.map((age): [number, Presence] => [age, seenAgo(age)]);
  const { presences, lastUpdateId: next } = selectPresences(
    known,
    { historyDays, lastUpdateId },
    NOW_SECONDS,
  );
  return { ages: [...presences.keys()], next };
}

test('a list without an earlier one goes back exactly as many days as asked for', () => {
  const day = DAY_SECONDS;
  expect(listed([2 * day, 2 * day + 1], 2, -1)).toEqual({ ages: [2 * day], next: NOW_SECONDS - 2 * day });
  expect(listed([0], 0, -1)).toEqual({ ages: [], next: -1 });
});

test('a later list repeats the nine seconds before the earlier one', () => {
  const earlier = NOW_SECONDS - 60;
  expect(listed([30, 60, 69, 70], 14, earlier)).toEqual({ ages: [30, 60, 69], next: NOW_SECONDS - 30 });
  expect(listed([70], 14, earlier)).toEqual({ ages: [], next: earlier });
});

test('an id more than ten seconds ahead was given by no list, and everyone is listed again', () => {
  expect(listed([3600], 14, NOW_SECONDS + 10)).toEqual({ ages: [], next: NOW_SECONDS + 10 });
  expect(listed([3600], 14, NOW_SECONDS + 11)).toEqual({ ages: [3600], next: NOW_SECONDS - 3600 });
});

test('a return is announced at once while at most a hundred were seen within two weeks', () => {
  const seen = (count: number, ageSeconds = 0) =>
    Array.from({ length: count }, (_, id): [number, Presence] => [id, seenAgo(ageSeconds)]);
  const longAgo = seen(200, 14 * DAY_SECONDS + 1);
  expect(hearOfReturns([...seen(100), ...longAgo], NOW_SECONDS)).toBe(true);
  expect(hearOfReturns(seen(101), NOW_SECONDS)).toBe(false);
  expect(hearOfReturns(undefined, NOW_SECONDS)).toBe(false);
});
