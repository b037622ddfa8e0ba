import { describe, expect, test } from 'vitest';
import { addAlertWords } from '#shared/domain/alert-words/alert-words.ts';
import { isFewEnoughToTell } from '#shared/domain/channels/announcements.ts';
import { requestChange } from '#shared/domain/exports/changes.ts';
import type { DataExport } from '#shared/domain/exports/export.ts';
import { giveRoomWrite, takeRoomWrite } from '#shared/domain/room.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { idsFrom } from './edge.ts';

const account = { userId: 10, hasAlertWords: true } as Account;
const exportOf = (requestedAtMs: number, status: DataExport['status'] = 'failed'): DataExport => ({
  ...{ exportId: 1, actorId: 10, type: 'public', requestedAtMs, status, addressKey: '' },
});
const telling = { addressOf: () => null, ownerIds: [] };
const WEEK_MS = 7 * 24 * 3600 * 1000;
const NOW_MS = 10 * WEEK_MS;
/** One in the list for each export, so many times a week ago. */
const requestAfter = (times: number[]) =>
  requestChange(
    { exports: times.map((time) => exportOf(time)), lastId: 0, revision: 0 },
    { actorId: 10, type: 'public', requestedAtMs: NOW_MS, addressKey: '' },
    telling,
  );

test('an alert word that is there in other letters is counted once', () => {
  const known = { words: [{ word: 'Tea', after: 1 }], past: [], revision: 1 };
  const words = [...idsFrom(1, 999).map(String), 'TEA'];
  expect(addAlertWords(account, known, words).words).toHaveLength(1_000);
});

test('an export of a week ago makes room for another', () => {
  const full = idsFrom(1, 4).map(() => NOW_MS);
  expect(() => requestAfter([...full, NOW_MS - WEEK_MS])).not.toThrow();
});

test('the hundred newest exports are remembered, and those that have an archive or none yet', () => {
  const old = idsFrom(1, 100).map((id) => ({ ...exportOf(0), exportId: id }));
  const remembered = (exports: DataExport[]) => {
    const { writes } = requestChange(
      { exports, lastId: 100, revision: 0 },
      { actorId: 10, type: 'public', requestedAtMs: NOW_MS, addressKey: '' },
      telling,
    );
    const [put] = writes as unknown as { item: { exports: DataExport[] } }[];
    return put?.item.exports.map(({ exportId }) => exportId);
  };
  expect(remembered(old)).toEqual([...idsFrom(2, 99), 101]);
  expect(remembered(old.slice(1))).toEqual([...idsFrom(2, 99), 101]);
  const kept = old.map((one, index) => (index < 2 ? { ...one, status: 'complete' as const } : one));
  expect(remembered(kept)).toEqual([1, 2, ...idsFrom(4, 97), 101]);
  const deleted = old.map((one) => ({ ...one, status: 'deleted' as const }));
  expect(remembered(deleted)).toEqual([...idsFrom(2, 99), 101]);
});

test('a hundred people are told that they were subscribed, and more are not', () => {
  const arrived = (count: number) =>
    [...idsFrom(1, count), 1].map((userId) => ({ user: { userId } }) as never);
  expect(isFewEnoughToTell(arrived(100))).toBe(true);
  expect(isFewEnoughToTell(arrived(101))).toBe(false);
});

describe('the counter of a kind of things', () => {
  const key = { pk: 'THINGS', sk: 'COUNT' };

  test('begins with what is there and the one that is added', () => {
    expect(takeRoomWrite({ key, count: 3, isKept: false }, 7, '')).toEqual({
      kind: 'put',
      item: { ...key, count: 4 },
      condition: { exists: false },
    });
  });

  test('is raised where it is below the limit, and lowered by one', () => {
    expect(takeRoomWrite({ key, count: 3, isKept: true }, 7, '')).toEqual({
      kind: 'update',
      key,
      add: { count: 1 },
      condition: { belowOrAbsent: { count: 7 } },
    });
    expect(giveRoomWrite({ key, count: 3, isKept: true })).toEqual({
      kind: 'update',
      key,
      add: { count: -1 },
    });
  });

  test('is not lowered before it was ever kept', () => {
    expect(giveRoomWrite({ key, count: 3, isKept: false })).toEqual({
      kind: 'check',
      key,
      condition: { exists: false },
    });
  });
});
