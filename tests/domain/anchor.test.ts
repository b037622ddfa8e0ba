import { describe, expect, test } from 'vitest';
import { NEWEST_ANCHOR, readAnchor, withinOneCall } from '#shared/domain/narrow/anchor.ts';

describe('An anchor', () => {
  test.each<[string, number]>([
    ['newest', NEWEST_ANCHOR],
    ['oldest', 0],
    ['12', 12],
    ['-12', 0],
    ['10000000000000001', NEWEST_ANCHOR],
  ])('Has for %s the position %d', (anchor, expected) => {
    expect(readAnchor(anchor, undefined, false)).toBe(expected);
  });

  test('Means the first unread message in both spellings, the older one before all others', () => {
    expect(readAnchor('first_unread', undefined, false)).toBe('firstUnread');
    expect(readAnchor(undefined, undefined, true)).toBe('firstUnread');
    expect(readAnchor('12', undefined, true)).toBe('firstUnread');
  });

  test.each([
    ['2026-03-01', Date.UTC(2026, 2, 1)],
    ['2026-03-01T10:00', Date.UTC(2026, 2, 1, 10)],
    ['2026-03-01T10:00:30Z', Date.UTC(2026, 2, 1, 10, 0, 30)],
    ['2026-03-01T10:00:30.999Z', Date.UTC(2026, 2, 1, 10, 0, 30)],
    ['2026-03-01T10:00:00+02:00', Date.UTC(2026, 2, 1, 8)],
    ['2026-03-01 10:00:00+0200', Date.UTC(2026, 2, 1, 8)],
  ])('Means the date %s', (date, milliseconds) => {
    expect(readAnchor('date', date, false)).toEqual({ sinceSeconds: milliseconds / 1000 });
  });

  test.each([
    '',
    'May',
    '1.3.2026',
    '2026-13-01',
    '2026-02-30T00:00:00Z',
    '2026-04-31',
    '2027-02-29T10:00',
    '2026-03-01T25:00Z',
    '1772359200',
  ])('Cannot be the date in %j', (date) => {
    expect(() => readAnchor('date', date, false)).toThrow('Invalid anchor_date');
  });

  test.each(['', ' ', '1.5', 'first', '"newest"', '0x10'])('Cannot be %j', (anchor) => {
    expect(() => readAnchor(anchor, undefined, false)).toThrow('Invalid anchor');
  });
});

describe('One call updates at most 5 000 messages', () => {
  test.each([
    [0, 0, { numBefore: 0, numAfter: 0 }],
    [10, 20, { numBefore: 10, numAfter: 20 }],
    [2_000, 3_000, { numBefore: 2_000, numAfter: 3_000 }],
    [2_000, 3_001, { numBefore: 2_000, numAfter: 3_000 }],
    [0, 5_001, { numBefore: 0, numAfter: 5_000 }],
    [5_001, 1, { numBefore: 5_000, numAfter: 0 }],
  ])('With %d before an anchor and %d after it, those before it first', (before, after, expected) => {
    expect(withinOneCall(before, after)).toEqual(expected);
  });
});
