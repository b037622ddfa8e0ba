import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readByteRange } from '#shared/api/files/byte-range.ts';
import { RangeNotSatisfiable } from '#shared/domain/uploads/errors.ts';
import { always } from '#tests/harness/property.ts';

describe('A range of a file of ten bytes', () => {
  test.each([
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=0-', { first: 0, last: 9 }],
    ['bytes=3-4', { first: 3, last: 4 }],
    ['bytes=9-', { first: 9, last: 9 }],
    ['bytes=3-999999999999999999999', { first: 3, last: 9 }],
    ['bytes=-3', { first: 7, last: 9 }],
    ['bytes=-99', { first: 0, last: 9 }],
    ['Bytes= 2 - 3 ', { first: 2, last: 3 }],
  ])('Selects that part: %s', (header, range) => {
    expect(readByteRange(header, 10)).toEqual(range);
  });

  test.each([
    undefined,
    '',
    'bytes=-',
    'bytes=4-3',
    'bytes=0-1,3-4',
    'lines=0-1',
    'bytes=a-b',
    'bytes 0-1',
    'bytes=1',
  ])('Selects the whole file: %j', (header) => {
    expect(readByteRange(header, 10)).toBeUndefined();
  });

  test.each(['bytes=10-', 'bytes=10-20', 'bytes=-0'])('Cannot be satisfied: %s', (header) => {
    expect(() => readByteRange(header, 10)).toThrow(RangeNotSatisfiable);
  });
});

test('An empty file has no range, and a file of one byte only itself', () => {
  for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-1'])
    expect(() => readByteRange(header, 0)).toThrow(RangeNotSatisfiable);
  for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=0-5', 'bytes=-1', 'bytes=-2'])
    expect(readByteRange(header, 1)).toEqual({ first: 0, last: 0 });
});

test('Every range of every file lies within it, cannot be satisfied, or is the whole file', () => {
  always(
    fc.property(fc.string(), fc.nat(), fc.nat(), fc.nat(50), (text, from, to, size) => {
      for (const header of [text, `bytes=${text}`, `bytes=${from}-${to}`, `bytes=-${to}`, `bytes=${from}-`])
        try {
          const { first, last } = readByteRange(header, size) ?? { first: 0, last: size - 1 };
          expect(first).toBeGreaterThanOrEqual(0);
          expect(last).toBeLessThan(size);
          if (size > 0) expect(first).toBeLessThanOrEqual(last);
        } catch (failure) {
          if (!(failure instanceof RangeNotSatisfiable)) throw failure;
        }
    }),
  );
});
