import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AlertWord, addAlertWords, removeAlertWords } from '#shared/domain/alert-words/alert-words.ts';
import { alertsOf, noAlerts } from '#shared/domain/alert-words/alerts.ts';
import { WordIndex } from '#shared/domain/alert-words/word-index.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { renderMarkdown } from '#shared/markdown/render.ts';
import { always } from '#tests/harness/property.ts';

const account = { userId: 1, email: 'ada@example.com', hasAlertWords: true } as Account;
const messageOf = (content: string, messageId = 10) =>
  ({ kind: 'direct', messageId, content, html: renderMarkdown(content).html }) as Message;
const wordsNow = (...words: string[]) => ({
  words: words.map((word) => ({ word, after: 0 })),
  past: [],
  revision: 1,
});
const alerts = (words: string[], content: string): boolean =>
  alertsOf(wordsNow(...words)).concern(messageOf(content));

describe('An alert word matches', () => {
  test.each([
    ['kiln', 'kiln'],
    ['kiln', 'The KILN is hot'],
    ['KILN', 'the kiln, the kiln'],
    ['kiln', '(kiln)'],
    ['kiln', '"kiln"!'],
    ['kiln', "'kiln'?"],
    ['kiln', 'first:\nkiln: hot'],
    ['kiln', 'clay;kiln.clay'],
    ['kiln', '**kiln** and more'],
    ['kiln', '`kiln`'],
    ['kiln', '* a\n* kiln\n* b'],
    ['kiln', '> kiln\n\nyes'],
    ['kiln', '[kiln](https://example.com)'],
    ['kiln', '[https://example.com: the kiln](https://example.com)'],
    ['kiln', '| a |\n|---|\n| kiln |'],
    ['two words', 'just two words here'],
    ['c++', 'I write C++, and you?'],
    ['(a+)+$', 'then (a+)+$ follows'],
    ['a & b', 'either a & b or none'],
    ['<b>', 'the tag <b> is bold'],
    ['ärger', 'Viel ÄRGER!'],
    ['caf\u00e9', 'the cafe\u0301 is open'],
    ['straße', '„Straße“'],
    ['слово', '«Слово»'],
    ['kiln', '窯（kiln）'],
    ['kiln', '我用kiln工作'],
    ['工作', '我的工作很多'],
    ['🔥', 'hot 🔥 stuff'],
    ['ab', 'abc ab'],
    ['bcd', 'abcd bcd'],
  ])('The word %j in %j', (word, content) => {
    expect(alerts([word], content)).toBe(true);
  });
});

describe('An alert word does not match', () => {
  test.each([
    ['kiln', 'kilns'],
    ['kiln', 'a limekiln'],
    ['kiln', 'kiln_a'],
    ['kiln', 'a-kiln'],
    ['kiln', 'kiln/a'],
    ['kiln', ':kiln:'],
    ['kiln', '@kiln #kiln'],
    ['kiln', 'kiln7'],
    ['ln', 'kiln'],
    ['слово', 'словом'],
    ['kiln', '```\nkiln\n```'],
    ['kiln', '```py\nx = "kiln"\n```'],
    ['kiln', 'https://example.com/kiln'],
    ['kiln', 'https://example.com/?q=a.kiln'],
    ['kiln', '[text](https://example.com/ "kiln")'],
    ['strong', '**bold**'],
    ['amp', 'a & b'],
    ['', 'anything'],
  ])('The word %j in %j', (word, content) => {
    expect(alerts([word], content)).toBe(false);
  });
});

test('A message has the flag for a user if it has one of their many words', () => {
  const words = Array.from({ length: 1_000 }, (_, n) => `word ${n}`);
  expect(alerts(words, 'here is word 999.')).toBe(true);
  expect(alerts(words, 'here is word 1000.')).toBe(false);
  expect(noAlerts.concern(messageOf('word 1'))).toBe(false);
});

test('A word applies to messages between the positions of its adding and its removal', () => {
  const past: AlertWord[] = [{ word: 'kiln', after: 5, upTo: 8 }];
  const words: AlertWord[] = [{ word: 'Kiln', after: 12 }];
  const found = alertsOf({ words, past, revision: 1 });
  const flagged = [4, 5, 6, 8, 9, 12, 13, 1_000].filter((id) => found.concern(messageOf('kiln', id)));
  expect(flagged).toEqual([6, 8, 13, 1_000]);
});

test('The newest thousand removed words are remembered', () => {
  let known = { words: [] as AlertWord[], past: [] as AlertWord[], revision: 0 };
  for (let round = 0; round < 3; round++) {
    const given = Array.from({ length: 500 }, (_, n) => `word ${round} ${n}`);
    for (const decide of [addAlertWords, removeAlertWords]) {
      const { writes } = decide(account, known, given).change;
      const [write] = typeof writes === 'function' ? writes(round + 1) : [];
      known = (write as unknown as { item: typeof known }).item;
    }
  }
  expect(known.past).toHaveLength(1_000);
  expect(known.past[0]?.word).toBe('word 1 0');
  expect(known.past.at(-1)?.word).toBe('word 2 499');
});

test('The index finds the same words as a search for each word', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 60 });
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 5 });
  always(
    fc.property(text, fc.uniqueArray(word, { maxLength: 12 }), (given, words) => {
      const found = [...new WordIndex(words).find(given)].map(({ word: one, from, to }) => {
        expect(given.slice(from, to)).toBe(one);
        return `${from} ${one}`;
      });
      const expected = words.flatMap((one) =>
        [...given].flatMap((_, from) => (given.startsWith(one, from) ? [`${from} ${one}`] : [])),
      );
      expect(found.sort()).toEqual(expected.sort());
    }),
  );
});

test('Words and texts made to be slow are scanned in one pass', () => {
  const words = Array.from({ length: 180 }, (_, n) => `${'a '.repeat(49)}${n}`);
  const found = alertsOf(wordsNow(...words));
  const message = messageOf('a '.repeat(5_000));
  const start = process.cpuUsage();
  for (let round = 0; round < 10; round++) expect(found.concern(message)).toBe(false);
  // Processor time, since a busy machine gives it late.
  expect(process.cpuUsage(start).user / 10_000).toBeLessThan(100);
});
