import { describe, expect, test } from 'vitest';
import { addAlertWords } from '#shared/domain/alert-words/alert-words.ts';
import { isFewEnoughToTell } from '#shared/domain/channels/announcements.ts';
import type { DataExport } from '#shared/domain/exports/export.ts';
import { giveRoomWrite, takeRoomWrite } from '#shared/domain/room.ts';
import { idsFrom } from './edge.ts';
import { account, exportOf, NOW_MS, requestAfter, WEEK_MS } from './things.ts';

test('An alert word in another letter case counts once', () => {
  const known = { words: [{ word: 'Tea', after: 1 }], past: [], revision: 1 };
  const words = [...idsFrom(1, 999).map(String), 'TEA'];
  expect(addAlertWords(account, known, words).words).toHaveLength(1_000);
});

test('An export from a week ago no longer counts', () => {
  const recent = idsFrom(1, 4).map((id) => exportOf(id, NOW_MS));
  expect(() => requestAfter([...recent, exportOf(5, NOW_MS - WEEK_MS)])).not.toThrow();
});

test('The hundred newest exports are remembered, and all with an archive or in progress', () => {
  const old = idsFrom(1, 100).map((id) => exportOf(id));
  const remembered = (exports: DataExport[]) => {
    const { writes } = requestAfter(exports);
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

test('A hundred subscribed people get a notice, and more do not', () => {
  const arrived = (count: number) =>
    [...idsFrom(1, count), 1].map((userId) => ({ user: { userId } }) as never);
  expect(isFewEnoughToTell(arrived(100))).toBe(true);
  expect(isFewEnoughToTell(arrived(101))).toBe(false);
});

describe('The counter of a type', () => {
  const key = { pk: 'THINGS', sk: 'COUNT' };

  test('Starts with the existing number and the added one', () => {
    expect(takeRoomWrite({ key, count: 3, isKept: false }, 7, '')).toEqual({
      kind: 'put',
      item: { ...key, count: 4 },
      condition: { exists: false },
    });
  });

  test('Increases below the limit, and decreases by one', () => {
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

  test('Does not decrease before it was ever stored', () => {
    expect(giveRoomWrite({ key, count: 3, isKept: false })).toEqual({
      kind: 'check',
      key,
      condition: { exists: false },
    });
  });
});
