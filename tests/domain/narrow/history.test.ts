import { expect, test } from 'vitest';
import { parseNarrow } from '#shared/domain/narrow/parse.ts';
import {
  asksForPreferences,
  asksForReactions,
  chooseSource,
  includesHistory,
} from '#shared/domain/narrow/source.ts';
import type { ResolvedTerm } from '#shared/domain/narrow/term.ts';

/** Terms in the form `operator:operand`, with a dash before each negated one. */
const termsOf = (text: string) =>
  parseNarrow(
    text.split(' ').map((term) => {
      const [operator = '', operand = ''] = term.split(':');
      return { operator, operand: operator.endsWith('channel') ? 7 : operand };
    }),
  ) as ResolvedTerm[];

test.each([
  ['channel:x', true],
  ['channels:public', true],
  ['channels:web-public', true],
  ['channels:archived', false],
  ['-channel:x', false],
  ['topic:x', false],
  ['sender:2', false],
  ['channel:x is:resolved', true],
  ['channel:x is:followed', true],
  ['channel:x is:muted', true],
  ['channel:x is:unread', false],
  ['channel:x is:starred', false],
  ['channel:x -is:mentioned', false],
  ['channel:x has:link', true],
])('Messages from before the subscription belong to %s: %s', (text, isIt) => {
  expect(includesHistory(termsOf(text))).toBe(isIt);
});

test('Policies of topics are read for a narrow that selects by them, and reactions too', () => {
  const needs = (text: string) => [asksForPreferences(termsOf(text)), asksForReactions(termsOf(text))];
  expect(needs('in:home')).toEqual([true, false]);
  expect(needs('is:muted')).toEqual([true, false]);
  expect(needs('-is:followed')).toEqual([true, false]);
  expect(needs('is:starred channel:x')).toEqual([false, false]);
  expect(needs('has:reaction')).toEqual([false, true]);
  expect(needs('has:link')).toEqual([false, false]);
});

test('A topic is looked up unless it is longer than any can be, in whichever channel', () => {
  // The composed form of this character takes six units, and no other takes more.
  const longest = '\u{1d160}'.repeat(60);
  const sourceOf = (topic: string, ...others: ResolvedTerm[]) =>
    chooseSource([{ kind: 'topic', topic, isNegated: false }, ...others], 1);
  const inChannel: ResolvedTerm = { kind: 'channel', channel: 7, isNegated: false };
  expect(sourceOf(longest, inChannel)).toEqual({ kind: 'topic', channelId: 7, topic: longest });
  expect(sourceOf(longest)).toEqual({ kind: 'log' });
  for (const others of [[inChannel], []])
    expect(sourceOf(`${longest}x`, ...others)).toEqual({ kind: 'nothing' });
});
