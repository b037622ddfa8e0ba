import { describe, expect, test } from 'vitest';
import { hearOfReturns, isRecent, selectPresences } from '#shared/domain/presence/list.ts';
import { hidePresence, type Presence, reportPresence } from '#shared/domain/presence/presence.ts';
import { toPresenceObject } from '#shared/domain/presence/record.ts';
import type { User } from '#shared/domain/users/user.ts';

const NOW_SECONDS = 2_000_000_000;
const DAY_SECONDS = 24 * 3600;

const seenAgo = (ageSeconds: number): Presence =>
  ({ connectedAtSeconds: NOW_SECONDS - ageSeconds }) as Presence;

/** The ids of people who were seen so many seconds ago, by whether they are listed. */
function listed(agesSeconds: number[], historyDays: number, lastUpdateId: number) {
  const known = agesSeconds.map((age): [number, Presence] => [age, seenAgo(age)]);
  const { presences, lastUpdateId: next } = selectPresences(
    known,
    { historyDays, lastUpdateId },
    NOW_SECONDS,
  );
  return { ages: [...presences.keys()], next };
}

test('A list without an earlier one covers exactly the requested days', () => {
  const day = DAY_SECONDS;
  expect(listed([2 * day, 2 * day + 1], 2, -1)).toEqual({ ages: [2 * day], next: NOW_SECONDS - 2 * day });
  expect(listed([0], 0, -1)).toEqual({ ages: [], next: -1 });
});

test('A later list repeats the nine seconds before the earlier one', () => {
  const earlier = NOW_SECONDS - 60;
  expect(listed([30, 60, 69, 70], 14, earlier)).toEqual({ ages: [30, 60, 69], next: NOW_SECONDS - 30 });
  expect(listed([70], 14, earlier)).toEqual({ ages: [], next: earlier });
});

test('An id more than ten seconds ahead counts as unknown, and everyone is listed again', () => {
  expect(listed([3600], 14, NOW_SECONDS + 10)).toEqual({ ages: [], next: NOW_SECONDS + 10 });
  expect(listed([3600], 14, NOW_SECONDS + 11)).toEqual({ ages: [3600], next: NOW_SECONDS - 3600 });
});

test('A return is announced at once while at most a hundred were seen within two weeks', () => {
  const seen = (count: number, ageSeconds = 0) =>
    Array.from({ length: count }, (_, id): [number, Presence] => [id, seenAgo(ageSeconds)]);
  const longAgo = seen(200, 14 * DAY_SECONDS + 1);
  expect(hearOfReturns([...seen(100), ...longAgo], NOW_SECONDS)).toBe(true);
  expect(hearOfReturns(seen(101), NOW_SECONDS)).toBe(false);
  expect(hearOfReturns(undefined, NOW_SECONDS)).toBe(false);
});

/** A presence by how long ago the user did something and was connected. */
const seen = (activeAgo: number, connectedAgo: number): Presence => ({
  activeAtSeconds: NOW_SECONDS - activeAgo,
  connectedAtSeconds: NOW_SECONDS - connectedAgo,
});
const CREATED_SECONDS = NOW_SECONDS - 1_000_000;
const report = (before: Presence | undefined, status: 'active' | 'idle') =>
  reportPresence(before, status, { createdAtSeconds: CREATED_SECONDS } as User, NOW_SECONDS);

describe('A report of presence', () => {
  test('Adds nothing within 55 seconds after an equal one', () => {
    expect(report(seen(55, 55), 'active')).toBeUndefined();
    expect(report(seen(56, 55), 'active')).toEqual({ presence: seen(0, 0), isReturn: false });
    expect(report(seen(300, 55), 'idle')).toBeUndefined();
    expect(report(seen(300, 56), 'idle')).toEqual({ presence: seen(300, 0), isReturn: false });
    expect(report(seen(55, 56), 'active')).toEqual({ presence: seen(55, 0), isReturn: false });
  });

  test('Announces a return at once after more than 130 seconds without activity', () => {
    expect(report(seen(130, 10), 'active')).toEqual({ presence: seen(0, 0), isReturn: false });
    expect(report(seen(131, 10), 'active')).toEqual({ presence: seen(0, 0), isReturn: true });
  });

  test('Counts as a return if it is the first, unless the user is idle (last active on joining)', () => {
    expect(report(undefined, 'active')).toEqual({ presence: seen(0, 0), isReturn: true });
    expect(report(undefined, 'idle')).toEqual({ presence: seen(1_000_000, 0), isReturn: false });
  });

  test('Keeps later times if its clock is behind', () => {
    expect(report(seen(60, -3), 'active')).toEqual({ presence: seen(0, -3), isReturn: false });
  });
});

test('A user who hides their presence appears to have left 320 seconds ago, or earlier if so', () => {
  expect(hidePresence(seen(0, 0), NOW_SECONDS)).toEqual(seen(320, 320));
  expect(hidePresence(seen(400, 0), NOW_SECONDS)).toEqual(seen(400, 400));
  expect(hidePresence(seen(350, 360), NOW_SECONDS)).toEqual(seen(360, 360));
});

test('The old form shows a user as active within 70 seconds of the last connection, and offline after 200', () => {
  const oldForm = (presence: Presence) => toPresenceObject(presence, NOW_SECONDS).aggregated;
  expect(oldForm(seen(80, 10))).toEqual({ status: 'active', timestamp: NOW_SECONDS - 80 });
  expect(oldForm(seen(81, 10))).toEqual({ status: 'idle', timestamp: NOW_SECONDS - 10 });
  expect(oldForm(seen(200, 200))).toEqual({ status: 'active', timestamp: NOW_SECONDS - 200 });
  expect(oldForm(seen(201, 201))).toEqual({ status: 'offline', timestamp: NOW_SECONDS - 201 });
  expect(oldForm(seen(900, 200))).toEqual({ status: 'idle', timestamp: NOW_SECONDS - 200 });
  expect(oldForm(seen(900, 201))).toEqual({ status: 'offline', timestamp: NOW_SECONDS - 201 });
});

test('A presence is listed by default for two weeks after the last connection', () => {
  expect(isRecent(seenAgo(14 * DAY_SECONDS), NOW_SECONDS)).toBe(true);
  expect(isRecent(seenAgo(14 * DAY_SECONDS + 1), NOW_SECONDS)).toBe(false);
});
