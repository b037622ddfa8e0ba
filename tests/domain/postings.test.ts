import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bucketOf,
  collectPostings,
  decodePostings,
  divide,
  encodePostings,
  findIds,
  intersection,
  mergePostings,
  type Postings,
  union,
} from '#shared/domain/search/postings.ts';
import { always } from '#tests/harness/property.ts';

const term = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const ids = fc
  .uniqueArray(fc.integer({ min: 1, max: 2_147_483_647 }), { minLength: 1, maxLength: 20 })
  .map((given) => given.sort((a, b) => a - b));
const postings = fc
  .uniqueArray(fc.tuple(term, ids), { selector: ([one]) => one, maxLength: 30 })
  .map((entries): Postings => new Map(entries));

const sorted = (given: Postings) => [...given].sort(([a], [b]) => a - b);

describe('Postings', () => {
  test('Remain the same after packing, as a whole and one by one', () => {
    always(
      fc.property(postings, term, (given, other) => {
        const bytes = encodePostings(given, 1);
        expect(sorted(decodePostings(bytes, 1))).toEqual(sorted(given));
        for (const [one, known] of given) expect(findIds(bytes, 1, one)).toEqual(known);
        expect(findIds(bytes, 1, other)).toEqual(given.get(other) ?? []);
      }),
    );
  });

  test('Split into buckets by their highest bits, all of them or some', () => {
    always(
      fc.property(postings, fc.integer({ min: 0, max: 6 }), fc.nat(), (given, bits, place) => {
        const buckets = divide(given, bits);
        expect(buckets).toHaveLength(2 ** bits);
        expect(sorted(mergePostings(buckets))).toEqual(sorted(given));
        for (const [bucket, part] of buckets.entries())
          for (const one of part.keys()) expect(bucketOf(one, bits)).toBe(bucket);
        const first = place % 2 ** bits;
        expect(divide(given, bits, first, 1)).toEqual([buckets[first]]);
      }),
    );
  });

  test('Merge so that each term has the messages of all', () => {
    always(
      fc.property(fc.array(postings, { maxLength: 4 }), (all) => {
        const merged = mergePostings(all);
        for (const one of new Set(all.flatMap((given) => [...given.keys()]))) {
          const expected = new Set(all.flatMap((given) => given.get(one) ?? []));
          expect(merged.get(one)).toEqual([...expected].sort((a, b) => a - b));
        }
      }),
    );
  });

  test('Come in the order of messages', () => {
    const collected = collectPostings([
      { messageId: 9, terms: [1, 2] },
      { messageId: 3, terms: new Set([2]) },
    ]);
    expect(sorted(collected)).toEqual([
      [1, [9]],
      [2, [3, 9]],
    ]);
  });

  test('Intersect and unite for several terms', () => {
    expect(
      intersection(
        [
          [1, 2, 3, 5],
          [2, 3, 4],
          [3, 2],
        ].map((one) => one.sort()),
      ),
    ).toEqual([2, 3]);
    expect(intersection([[1, 2], []])).toEqual([]);
    expect(union([[1, 4], [], [2, 4]])).toEqual([1, 2, 4]);
    expect(union([])).toEqual([]);
  });
});
