import { describe, expect, test } from 'vitest';
import { fromAttributes, toAttributes } from '#infra/local/table/attributes.ts';
import { sizeOf } from '#infra/local/table/item-size.ts';

const ITEM = {
  text: 'é',
  empty: '',
  number: -1.5,
  yes: true,
  no: false,
  nothing: null,
  list: ['a', 1, ['b'], { c: null }],
  map: { a: 1, b: { c: 'd' } },
  numbers: new Set([1, 2]),
  texts: new Set(['a', 'b']),
  bytes: Uint8Array.from([0, 255]),
};
const ATTRIBUTES = {
  text: { S: 'é' },
  empty: { S: '' },
  number: { N: '-1.5' },
  yes: { BOOL: true },
  no: { BOOL: false },
  nothing: { NULL: true },
  list: { L: [{ S: 'a' }, { N: '1' }, { L: [{ S: 'b' }] }, { M: { c: { NULL: true } } }] },
  map: { M: { a: { N: '1' }, b: { M: { c: { S: 'd' } } } } },
  numbers: { NS: ['1', '2'] },
  texts: { SS: ['a', 'b'] },
  bytes: { B: 'AP8=' },
};

describe('the values of an item', () => {
  test('are those of DynamoDB, both ways', () => {
    expect(toAttributes(ITEM)).toEqual(ATTRIBUTES);
    expect(fromAttributes(ATTRIBUTES)).toEqual(ITEM);
  });

  test('are left out where they are undefined, also in lists and maps', () => {
    expect(toAttributes({ a: undefined, list: [1, undefined], map: { b: undefined } })).toEqual({
      list: { L: [{ N: '1' }] },
      map: { M: {} },
    });
  });

  test('may be in an object without a prototype', () => {
    const bare = Object.assign(Object.create(null), { a: 'b' });
    expect(toAttributes({ bare })).toEqual({ bare: { M: { a: { S: 'b' } } } });
  });

  test.each<[string, unknown, string]>([
    ['an empty set', new Set(), 'an empty set'],
    ['a set of several kinds', new Set([1, 'a']), 'sets of numbers and of texts only'],
    ['a set of truth values', new Set([true]), 'sets of numbers and of texts only'],
    ['no number', Number.NaN, 'cannot hold NaN exactly'],
    ['an endless number', Number.POSITIVE_INFINITY, 'cannot hold Infinity exactly'],
    ['a number too large', 2 ** 53, 'cannot hold 9007199254740992 exactly'],
    ['a number too small', -(2 ** 53), 'cannot hold -9007199254740992 exactly'],
    ['a date', new Date(0), 'cannot hold a object such as this'],
    ['a function', () => 1, 'cannot hold a function such as this'],
  ])('are refused: %s', (_what, value, reason) => {
    expect(() => toAttributes({ value } as never)).toThrow(reason);
    expect(() => toAttributes({ value } as never)).toThrow(TypeError);
  });

  test('may be the largest and the smallest whole numbers', () => {
    const numbers = { most: Number.MAX_SAFE_INTEGER, least: Number.MIN_SAFE_INTEGER };
    expect(fromAttributes(toAttributes(numbers))).toEqual(numbers);
  });

  test('of an unknown type are refused', () => {
    expect(() => fromAttributes({ a: { X: 1 } })).toThrow('an attribute of an unknown type');
    expect(() => fromAttributes({ a: {} })).toThrow('an attribute of an unknown type');
  });
});

describe('the size of an item', () => {
  test.each<[string, Record<string, unknown>, number]>([
    ['a name and a text, in bytes', { S: 'é' }, 1 + 2],
    ['a number of one digit', { N: '7' }, 1 + 2],
    ['a number of three digits', { N: '123' }, 1 + 3],
    ['zeros at the end', { N: '1200' }, 1 + 2],
    ['a sign', { N: '-12' }, 1 + 3],
    ['what is behind the point', { N: '0.125' }, 1 + 3],
    ['digits on both sides of it', { N: '12.5' }, 1 + 3],
    ['truth', { BOOL: true }, 1 + 1],
    ['nothing', { NULL: true }, 1 + 1],
    ['an empty list', { L: [] }, 1 + 3],
    ['a list of two', { L: [{ S: 'ab' }, { NULL: true }] }, 1 + 3 + (1 + 2) + (1 + 1)],
    ['an empty map', { M: {} }, 1 + 3],
    ['a map of one', { M: { ab: { S: 'c' } } }, 1 + 3 + 1 + 2 + 1],
    ['texts', { SS: ['a', 'bé'] }, 1 + 1 + 3],
    ['numbers', { NS: ['1', '-2'] }, 1 + 2 + 3],
    ['bytes', { B: 'AP8=' }, 1 + 2],
  ])('counts %s', (_what, attribute, bytes) => {
    expect(sizeOf({ a: attribute })).toBe(bytes);
    expect(sizeOf({ a: attribute, bcd: attribute })).toBe(2 * bytes + 2);
  });
});
