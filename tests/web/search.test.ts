import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Narrow, Term } from '#web/state/narrow.ts';
import { toWire } from '#web/state/narrow.ts';
import { readSearch, writeSearch } from '#web/state/search.ts';

const PEOPLE = new Map([
  [2, 'Ada'],
  [5, 'Bo "Bob" Lee'],
  [6, 'Doe, Jane'],
  [7, 'me'],
  [8, '2024'],
  [9, 'back\\slash'],
  [10, ' padded'],
]);
const CHANNELS = new Map([
  [1, 'general'],
  [3, '2025'],
  [4, 'design "team"'],
]);
const idIn = (names: Map<number, string>, name: string) =>
  [...names].find(([, fullName]) => fullName === name)?.[0];
const lookup = {
  channelId: (name: string) => idIn(CHANNELS, name),
  userId: (name: string) => idIn(PEOPLE, name),
};
const names = { channel: (id: number) => CHANNELS.get(id), person: (id: number) => PEOPLE.get(id) };
const again = (narrow: Narrow): Narrow => readSearch(writeSearch(narrow, names), lookup);
const term = (operator: string, operand: string, negated = false): Term => ({
  ...{ operator, operand, ...(negated && { negated }) },
});

describe('A search that is written and read back', () => {
  test.each<[string, Narrow]>([
    ['a non-breaking space', [term('channel', '1'), term('topic', 'price\u00a0list')]],
    ['an ideographic space', [term('topic', '値段\u3000表')]],
    ['quotes and backslashes', [term('topic', 'say "hi" \\ "'), term('channel', '4')]],
    ['a person with a comma', [term('dm', '6')]],
    ['several people', [term('dm', '2,5,6,7'), term('sender', '5')]],
    ['a person named me', [term('sender', '7')]],
    ['the viewer', [term('sender', 'me')]],
    ['names that are numbers', [term('sender', '8'), term('channel', '3')]],
    ['a negated word', [term('search', 'draft', true)]],
    ['a negated phrase', [term('search', '"two words" one', true)]],
    ['a word before an operator', [term('search', 'draft'), term('is', 'starred')]],
    ['words that look like an operator', [term('search', 'is:starred -topic:x')]],
    ['a topic at one of its messages', [term('channel', '1'), term('topic', 'a'), term('with', '31')]],
    ['a mentioned person', [term('mentions', '5')]],
    ['an empty topic', [term('channel', '1'), term('topic', '')]],
  ])('Keeps %s', (_what, narrow) => {
    expect(again(narrow)).toEqual(narrow);
  });

  test('Equals the original for any terms', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', '"', '\\', ':', '-', ',', 'is:', '\u3000', 'é'),
    });
    const terms = fc.oneof(
      fc.tuple(fc.constantFrom('topic', 'search', 'is', 'has'), text, fc.boolean()),
      fc.tuple(
        fc.constantFrom('sender', 'dm', 'dm-including', 'mentions'),
        fc.array(fc.constantFrom('2', '5', '6', '7', '8', '9', '10', '99'), { minLength: 1 }).map(String),
        fc.boolean(),
      ),
      fc.tuple(fc.constant('channel'), fc.constantFrom('1', '3', '4', '99'), fc.boolean()),
    );
    const property = fc.property(fc.array(terms), (made) => {
      const narrow = made.map(([operator, operand, negated]) => term(operator, operand, negated));
      expect(again(narrow)).toEqual(narrow);
    });
    void fc.assert(property);
  });
});

test('A mentioned person goes to the service as an id', () => {
  expect(toWire([term('mentions', '5'), term('mentions', 'me')], 2)).toEqual([
    { operator: 'mentions', operand: 5, negated: false },
    { operator: 'mentions', operand: 2, negated: false },
  ]);
});
