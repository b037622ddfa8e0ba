import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { narrowParameter } from '#shared/api/contracts/narrow.ts';
import { readParameters } from '#shared/api/parameters.ts';
import { BadNarrow, BadRequest, DeclaredError } from '#shared/domain/errors.ts';
import { type NarrowElement, parseNarrow } from '#shared/domain/narrow/parse.ts';
import { always } from '#tests/harness/property.ts';

const read = (narrow: string) =>
  readParameters(
    { narrow: narrowParameter },
    { path: new Map(), body: new Map([['narrow', narrow]]), query: new Map() },
  );

const operators = [
  ...[
    'channel',
    'stream',
    'channels',
    'streams',
    'topic',
    'subject',
    'sender',
    'from',
    'dm',
    'pm-with',
    'pm_with',
  ],
  ...['dm-including', 'group-pm-with', 'is', 'has', 'in', 'near', 'id', 'with', 'search', 'mentions'],
];

/** Terms that are nearly right, and anything else. */
const nearlyTerm = fc.oneof(
  fc.record(
    {
      operator: fc.oneof(fc.constantFrom(...operators, ...operators.map((one) => `-${one}`)), fc.string()),
      operand: fc.oneof(
        fc.constantFrom('home', 'all', 'unread', 'link', 'public', '5', '', '"'),
        fc.string(),
        fc.integer(),
        fc.array(fc.integer()),
        fc.jsonValue(),
      ),
      negated: fc.oneof(fc.boolean(), fc.jsonValue()),
    },
    { requiredKeys: ['operator', 'operand'] },
  ),
  fc.tuple(fc.oneof(fc.constantFrom(...operators), fc.string()), fc.oneof(fc.string(), fc.jsonValue())),
  fc.jsonValue(),
);

describe('Any value of a narrow', () => {
  const outcomeOf = (text: string) => {
    try {
      return parseNarrow(read(text).narrow);
    } catch (failure) {
      return failure;
    }
  };

  const expectTermsOrDeclared = (text: string) => {
    const outcome = outcomeOf(text);
    if (Array.isArray(outcome)) for (const term of outcome) expect(term.kind).toEqual(expect.any(String));
    else expect(outcome).toBeInstanceOf(DeclaredError);
  };

  test('Gives terms or a declared error', () => {
    always(
      fc.property(
        fc.array(nearlyTerm, { maxLength: 5 }).map((one) => JSON.stringify(one)),
        expectTermsOrDeclared,
      ),
    );
    always(fc.property(fc.json(), expectTermsOrDeclared));
    always(fc.property(fc.string(), expectTermsOrDeclared));
  });
});

describe('A term', () => {
  test.each<[NarrowElement, object]>([
    [['has', 'link'], { kind: 'has', operand: 'link' }],
    [['has', 'attachments'], { kind: 'has', operand: 'attachment' }],
    [['-has', 'reactions'], { kind: 'has', operand: 'reaction', isNegated: true }],
    [
      { operator: 'mentions', operand: 5 },
      { kind: 'mentions', user: 5 },
    ],
    [['WITH', '5'], { kind: 'with', messageId: 5 }],
    [['search', 'Running "to be"'], { kind: 'search', query: { stems: ['run'], phrases: ['to be'] } }],
  ])('Can be %j', (element, expected) => {
    expect(parseNarrow([element])).toEqual([{ isNegated: false, ...expected }]);
  });

  test.each<[NarrowElement]>([
    [['with', 'x']],
    [{ operator: 'with', operand: -1 }],
    [['-with', '5']],
    [{ operator: 'with', operand: 5, negated: true }],
  ])('Cannot name a conversation as %j', (element) => {
    expect(() => parseNarrow([element])).toThrow(new BadNarrow("Invalid 'with' operator"));
  });

  test.each<[NarrowElement, string]>([
    [['search', ''], 'Invalid narrow[0]: Value error, operand cannot be blank'],
    [['search', '""'], 'Invalid narrow[0]: Value error, operand cannot be blank'],
    [{ operator: 'search', operand: 5 }, 'Invalid narrow[0]: Value error, operand is not a string'],
    [['topic', 'x'.repeat(1_001)], 'narrow[0]["operand"] is too long (limit: 1000 characters)'],
    [['channel', 'x'.repeat(1_001)], 'narrow[0]["operand"] is too long (limit: 1000 characters)'],
    [
      ['dm', 'a@example.com,'.repeat(500)],
      'Invalid narrow[0]: Value error, operand has too many users (limit: 500)',
    ],
    [
      ['search', Array.from({ length: 101 }, (_, n) => n).join(' ')],
      'narrow has too many search words (limit: 100)',
    ],
    [['\t', 'x'], 'narrow[0]["operator"] cannot be blank'],
  ])('Fails as %j, which no user can mean', (element, text) => {
    expect(() => parseNarrow([element])).toThrow(new BadRequest(text));
  });

  test.each<[NarrowElement]>([
    [['topic', 'x'.repeat(1_000)]],
    [['dm', Array.from({ length: 500 }, (_, n) => `p${n}@example.com`).join(',')]],
    [['search', Array.from({ length: 100 }, (_, n) => n).join(' ')]],
  ])('May have the greatest length: %j', (element) => {
    expect(parseNarrow([element])).toHaveLength(1);
  });

  test('Can be `with` at most once', () => {
    const refusal = new BadNarrow("Duplicate 'with' operators.", 'operator combination');
    expect(refusal.message).toBe("Invalid narrow operator combination: Duplicate 'with' operators.");
    expect(() =>
      parseNarrow([
        ['with', '1'],
        ['with', '1'],
      ]),
    ).toThrow(refusal);
  });

  test('Counts the words of all searches of a narrow together', () => {
    const half = Array.from({ length: 51 }, (_, n) => `w${n}`).join(' ');
    expect(() =>
      parseNarrow([
        ['search', half],
        ['-search', half],
      ]),
    ).toThrow(BadRequest);
    expect(parseNarrow([['search', half]])).toHaveLength(1);
  });
});
