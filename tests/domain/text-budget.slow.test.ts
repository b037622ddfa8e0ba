import { describe, expect, test } from 'vitest';
import { alertsOf } from '#shared/domain/alert-words/alerts.ts';
import { WordIndex } from '#shared/domain/alert-words/word-index.ts';
import { checkContent } from '#shared/domain/messages/compose.ts';
import { htmlDifference } from '#shared/domain/messages/editing/html-difference.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { toMatchRecord } from '#shared/domain/search/match-record.ts';
import { isFoundIn, parseSearch } from '#shared/domain/search/query.ts';

/** How much longer texts that people do not write may take than others of their length. */
const TIMES_USUAL = 25;
/** To search in them as well, which takes longer by itself. */
const TIMES_USUAL_SEARCH = 8;
const MESSAGE = 10_000;
const HTML_BYTES = 100_000;

const fill = (unit: string, bytes: number): string => unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit)));
const USUAL = 'The kiln is at 1040 degrees, cones 5 and 6 are down. ';

/** The least time of this thread in some runs: interruptions, such as a collection of garbage, are in others. */
function leastMs(work: () => unknown): number {
  const runs = Array.from({ length: 4 }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...runs);
}

/** How many times longer something takes than something else. */
const times = (slow: () => unknown, usual: () => unknown): number =>
  leastMs(slow) / Math.max(0.5, leastMs(usual));

let messageId = 0;
/** A message that nothing was worked out about yet. */
const messageOf = (html: string): Message =>
  ({ kind: 'direct', messageId: ++messageId, html, content: html }) as Message;

describe('A search takes bounded work', () => {
  const search = (unit: string, asked: string) => () => {
    const query = parseSearch(asked);
    const message = messageOf(fill(unit, HTML_BYTES));
    isFoundIn(query, message);
    toMatchRecord(message, [query]);
  };
  const phrases = Array.from({ length: 30 }, (_, n) => `"${'a'.repeat(n + 1)}"`).join(' ');

  test.each(['a', 'a ', 'e', 'eed ', 'y', 'e\u0301', '&amp;', '<b>a</b>', '中', 'ing'])(
    'In messages of %j',
    (unit) => {
      for (const asked of ['kiln', '"a"', 'e', phrases])
        expect(times(search(unit, asked), search(USUAL, 'kiln')), asked).toBeLessThan(TIMES_USUAL_SEARCH);
    },
  );
});

describe('Alert words take bounded work', () => {
  const lengths = Array.from({ length: 100 }, (_, n) => n + 1);
  test.each(['a', '工', 'a '])('If a hundred of %j end in one place', (unit) => {
    const words = lengths.map((length) => unit.repeat(length).trim());
    const alerts = alertsOf({
      words: words.slice(0, 50).map((word) => ({ word, after: Number.MAX_SAFE_INTEGER })),
      past: words.slice(50).map((word) => ({ word, after: 0, upTo: 0 })),
      revision: 1,
    });
    const one = alertsOf({ words: [{ word: 'cone', after: 0 }], past: [], revision: 1 });
    const [slow, usual] = [fill(unit, MESSAGE), fill(USUAL, MESSAGE)];
    expect(
      times(
        () => alerts.concern(messageOf(slow)),
        () => one.concern(messageOf(usual)),
      ),
    ).toBeLessThan(TIMES_USUAL);
  });

  test('If many words end in a place, or many places end a word (nothing is checked twice)', () => {
    const words = lengths.map((length) => 'a'.repeat(length));
    const asked = { words: 0, ends: 0 };
    const found = new WordIndex(words).find('a'.repeat(1_000), {
      isAsked: () => ++asked.words < 0,
      mayEnd: () => ++asked.ends > 0,
    });
    expect([...found]).toEqual([]);
    expect(asked).toEqual({ words: 100, ends: 1_000 });
  });
});

test('The difference of two texts is found in bounded work', () => {
  const usual = () => htmlDifference(fill(USUAL, MESSAGE), fill(`${USUAL}now `, MESSAGE));
  for (const [before, after] of [
    ['a ', 'b '],
    [' ', '\t'],
    ['\n', 'a'],
    ['<', '"'],
    ['a b ', 'a  b '],
  ] as const)
    expect(times(() => htmlDifference(fill(before, MESSAGE), fill(after, MESSAGE)), usual)).toBeLessThan(
      TIMES_USUAL,
    );
});

describe('Content that is far too long', () => {
  test.each([
    ['blank lines', '\n'.repeat(4_000_000)],
    ['lines of spaces', ' \n'.repeat(2_000_000)],
  ])('With %s at the start is read without them', (_name, start) => {
    expect(checkContent(`${start} a`)).toBe(' a');
  });

  test('With spaces at the start is cut', () => {
    expect(checkContent(`${' '.repeat(4_000_000)}a`)).toBe(`${' '.repeat(9_980)}\n[message truncated]`);
  });

  test('Gets cut between characters, however many of them have two units', () => {
    const cut = checkContent('🙂'.repeat(1_000_000));
    expect([...cut]).toHaveLength(10_000);
    expect(cut.endsWith('🙂\n[message truncated]')).toBe(true);
    expect(checkContent('🙂'.repeat(10_000))).toBe('🙂'.repeat(10_000));
    expect(checkContent(`${'🙂'.repeat(9_999)}a`)).toBe(`${'🙂'.repeat(9_999)}a`);
    expect(checkContent(`${'🙂'.repeat(10_000)}a`)).toMatch(/truncated\]$/);
  });
});
