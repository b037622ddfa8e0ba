import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  ignoredParameters,
  json,
  jsonOrText,
  maxLength,
  notBlank,
  optional,
  type Parameter,
  type Parameters,
  readParameters,
  text,
  withAlias,
  withDefault,
} from '#shared/api/parameters.ts';
import { DeclaredError } from '#shared/domain/errors.ts';
import { always } from '#tests/harness/property.ts';

const texts = (body: Record<string, string>, query: Record<string, string> = {}, path = {}) => ({
  body: new Map(Object.entries(body)),
  query: new Map(Object.entries(query)),
  path: new Map(Object.entries<string>(path)),
});

const read = (one: Parameter<unknown>, given: string): unknown =>
  readParameters({ p: one }, texts({ p: given })).p;

function refusalOf(run: () => unknown): { code: string | undefined; msg: string; fields: object } {
  try {
    run();
  } catch (failure) {
    if (failure instanceof DeclaredError)
      return { code: failure.code, msg: failure.message, fields: failure.fields };
    throw failure;
  }
  throw new Error('Nothing was refused');
}

const refuse = (one: Parameter<unknown>, given: string): string => {
  const { code, msg } = refusalOf(() => read(one, given));
  expect(code).toBe('BAD_REQUEST');
  return msg;
};

describe('Parameter values', () => {
  test('Keep every text', () => {
    always(
      fc.property(fc.string({ unit: 'binary' }), (given) => read(text(z.string(), ''), given) === given),
    );
  });

  test('Keep every JSON value, except numbers that are no integers', () => {
    const value = fc
      .jsonValue({ noUnicodeString: false })
      .filter((one) => !/\d\.|\de/i.test(JSON.stringify(one)));
    always(
      fc.property(value, (one) => {
        expect(read(json(z.unknown(), ''), JSON.stringify(one))).toEqual(JSON.parse(JSON.stringify(one)));
      }),
    );
  });

  test('Accept every safe integer, and no text with a fraction or an exponent', () => {
    const integer = json(z.int(), '');
    always(fc.property(fc.maxSafeInteger(), (n) => read(integer, `${n}`) === n));
    always(
      fc.property(fc.maxSafeInteger(), fc.constantFrom('.0', 'e0', 'E+0', '.000'), (n, tail) => {
        expect(refuse(integer, `${n}${tail}`)).toBe('p is not an integer');
      }),
    );
  });

  test('Prefer JSON to text if both are allowed', () => {
    const one = jsonOrText(z.unknown(), '');
    expect(read(one, '[1]')).toEqual([1]);
    expect(read(one, '[1')).toBe('[1');
    expect(read(one, '')).toBe('');
  });
});

describe('The error texts of parameters', () => {
  test.each([
    [json(z.boolean(), ''), 'yes', 'p is not valid JSON'],
    [json(z.boolean(), ''), '1', 'p is not a boolean'],
    [json(z.int(), ''), '"1"', 'p is not an integer'],
    [json(z.int(), ''), '1e400', 'p is not an integer'],
    [json(z.int().check(z.minimum(1)), ''), '0', 'p is too small'],
    [json(z.int().check(z.maximum(9)), ''), '10', 'p is too large'],
    [json(z.string(), ''), '1', 'p is not a string'],
    [json(z.array(z.int()), ''), '{}', 'p is not a list'],
    [json(z.array(z.int()), ''), '[1,"2"]', 'p[1] is not an integer'],
    [json(z.array(z.array(z.int())), ''), '[[1],[2,null]]', 'p[1][1] is not an integer'],
    [json(z.array(z.int()).check(z.maxLength(1)), ''), '[1,2]', 'p is too large'],
    [json(z.tuple([z.string(), z.string()]), ''), '{}', 'p is not a list'],
    [json(z.record(z.string(), z.boolean()), ''), '[]', 'p is not a dict'],
    [json(z.record(z.string(), z.boolean()), ''), '{"a\\"b":1}', 'p["a\\"b"] is not a boolean'],
    [json(z.object({ name: z.string() }), ''), '[]', 'p is not a dict'],
    [json(z.object({ name: z.string() }), ''), '{}', 'p["name"] field is missing: Field required'],
    [json(z.object({ name: z.string() }), ''), '{"name":1}', 'p["name"] is not a string'],
    [json(z.union([z.int(), z.array(z.int())]), ''), '["x"]', 'p is not an integer'],
    [json(z.union([z.array(z.int()), z.array(z.string())]), ''), '[1,"x"]', 'p[1] is not an integer'],
    [text(z.enum(['a', 'b']), ''), 'c', 'Invalid p'],
    [text(z.string().check(z.minLength(3)), ''), 'ab', 'p is too short.'],
    [text(z.string().check(maxLength(2)), ''), 'abc', 'p is too long (limit: 2 characters)'],
    [text(z.string().check(notBlank()), ''), ' \n', 'p cannot be blank'],
    [json(z.string(), ''), '"\\ud800"', 'p is not valid JSON'],
    [json(z.int(), ''), '', 'p is not valid JSON'],
  ] as [Parameter<unknown>, string, string][])('Name the wrong part in case %#', (one, given, expected) => {
    expect(refuse(one, given)).toBe(expected);
  });

  test('Count lengths in code points', () => {
    const one = text(z.string().check(maxLength(3)), '');
    always(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 6 }), (given) => {
        const isAccepted = [...given].length <= 3;
        if (isAccepted) expect(read(one, given)).toBe(given);
        else expect(refuse(one, given)).toBe('p is too long (limit: 3 characters)');
      }),
    );
  });
});

describe('Hostile values', () => {
  const schemas: Parameter<unknown>[] = [
    text(z.string(), ''),
    json(z.boolean(), ''),
    json(z.int(), ''),
    json(z.array(z.union([z.int(), z.string()])), ''),
    json(z.object({ a: z.optional(z.array(z.int())) }), ''),
    jsonOrText(z.union([z.int(), z.literal('mobile')]), ''),
  ];

  test('Give a value or a declared error, whatever they are', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.integer({ min: 1, max: 100_000 }).map((depth) => '['.repeat(depth)),
      fc.integer({ min: 1, max: 20_000 }).map((depth) => '{"a":'.repeat(depth) + 1 + '}'.repeat(depth)),
      fc.constantFrom('{"__proto__":{"a":[1]}}', '{"constructor":null}', '"\\u0000"', '-0', '1e999', '\0'),
    );
    always(
      fc.property(fc.constantFrom(...schemas), hostile, (one, given) => {
        try {
          read(one, given);
        } catch (failure) {
          expect(failure).toBeInstanceOf(DeclaredError);
        }
        expect(({} as Record<string, unknown>).a).toBeUndefined();
      }),
    );
  });
});

describe('The sources of a parameter', () => {
  const declared = { p: optional(text(z.string(), '')) };

  test('Prefer the path to the body, and the body to the query string', () => {
    expect(readParameters(declared, texts({ p: 'body' }, { p: 'query' }, { p: 'path' })).p).toBe('path');
    expect(readParameters(declared, texts({ p: 'body' }, { p: 'query' })).p).toBe('body');
    expect(readParameters(declared, texts({}, { p: 'query' })).p).toBe('query');
  });

  test('Give an error, the default or undefined if it is missing', () => {
    expect(readParameters(declared, texts({})).p).toBeUndefined();
    expect(readParameters({ p: withDefault(json(z.int(), ''), 7) }, texts({})).p).toBe(7);
    expect(refusalOf(() => readParameters({ p: text(z.string(), '') }, texts({})))).toEqual({
      code: 'REQUEST_VARIABLE_MISSING',
      msg: "Missing 'p' argument",
      fields: { var_name: 'p' },
    });
  });

  test('Accept another name, but not beside the first', () => {
    const aliased = { p: withAlias(optional(text(z.string(), '')), 'old', 'older') };
    expect(readParameters(aliased, texts({ older: 'x' })).p).toBe('x');
    expect(refusalOf(() => readParameters(aliased, texts({ p: 'x' }, { old: 'y' })))).toEqual({
      code: 'REQUEST_CONFUSING_VAR',
      msg: "Can't decide between 'p' and 'old' arguments",
      fields: { var_name1: 'p', var_name2: 'old' },
    });
  });
});

describe('Ignored parameters', () => {
  const declared: Parameters = { p: withAlias(optional(text(z.string(), '')), 'old') };

  test('Have exactly the undeclared names, each once', () => {
    const names = fc.uniqueArray(
      fc.oneof(fc.string(), fc.constantFrom('p', 'old', 'client', 'method', '__proto__')),
    );
    always(
      fc.property(names, names, (inBody, inQuery) => {
        const given = { body: asMap(inBody), query: asMap(inQuery), path: new Map() };
        const known = ['p', 'old', 'client', 'method'];
        const expected = [...new Set([...inBody, ...inQuery])].filter((name) => !known.includes(name));
        expect(ignoredParameters(declared, given).sort()).toEqual(expected.sort());
      }),
    );
  });

  const asMap = (names: string[]): Map<string, string> => new Map(names.map((name) => [name, 'x']));
});
