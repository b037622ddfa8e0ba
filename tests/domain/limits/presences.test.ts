import { expect, test } from 'vitest';
import { selectPresences } from '#shared/domain/presence/list.ts';
import type { Presence } from '#shared/domain/presence/presence.ts';

const NOW_SECONDS = 2_000_000_000;
const DAY_SECONDS = 24 * 3600;

/** The ids of those who were seen so many seconds ago, by whether they are listed. */
function listed(agesSeconds: number[], historyDays: number, lastUpdateId: number) {
  const known = agesSeconds.map((age): [number, Presence] => [
    age,
    { connectedAtSeconds: NOW_SECONDS - age } as Presence,
  ]);
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
