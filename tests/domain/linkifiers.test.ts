import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileLinkifiers, readPattern } from '#shared/domain/linkifiers/engine.ts';
import { linksOfTopic, noLinker, withoutOverlaps } from '#shared/domain/linkifiers/links.ts';
import { variablesOf } from '#shared/domain/url-template.ts';
import { nothingKnown } from '#shared/markdown/known.ts';
import { renderMarkdown } from '#shared/markdown/render.ts';
import { always } from '#tests/harness/property.ts';

const linkerOf = (...patterns: string[]) =>
  compileLinkifiers(
    patterns.map((pattern, index) => ({
      id: index + 1,
      pattern,
      urlTemplate: 'https://example.com/{x}',
      exampleInput: null,
      reverseTemplate: null,
      alternativeUrlTemplates: [],
    })),
  );
const found = (pattern: string, text: string): string[] =>
  linkerOf(pattern)
    .open()(text)
    .map(({ from, to }) => text.slice(from, to));

describe('A match of a linkifier', () => {
  test.each([
    ['x', 'x x,x x', ['x', 'x', 'x', 'x']],
    ['x', 'xx ax xa x1 x-x', ['x']],
    ['x', '(x) "x" \'x\' <x> :x:', ['x', 'x', 'x', 'x', 'x']],
    ['x', '\u00a0x\u2003x\u0085x', ['x', 'x', 'x']],
    ['x', 'слоx xво x。x', ['x']],
    ['é+', 'éé é', ['éé', 'é']],
    ['(?i)JIRA', 'Jira jira', ['Jira', 'jira']],
    ['x?', 'a x b', ['x']],
    ['a|b', 'a b c', ['a', 'b']],
    ['.+', 'all of it', ['all of it']],
    ['🔥+', '🔥 🔥🔥', ['🔥', '🔥🔥']],
  ])('Lies between boundaries: %j in %j', (pattern, text, matches) => {
    expect(found(pattern, text)).toEqual(matches);
  });
});

test('Links never overlap, and the first linkifier of the list wins', () => {
  const links = [
    { from: 2, to: 4, url: 'a' },
    { from: 0, to: 3, url: 'b' },
    { from: 3, to: 9, url: 'c' },
    { from: 4, to: 6, url: 'd' },
  ];
  expect(withoutOverlaps(links).map(({ url }) => url)).toEqual(['a', 'd']);
  const link = fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 9 })).map(([from, length]) => ({
    from,
    to: from + length,
    url: '',
  }));
  always(
    fc.property(fc.array(link), (given) => {
      const kept = withoutOverlaps(given);
      for (const [index, { from }] of kept.entries())
        expect(from).toBeGreaterThanOrEqual(kept[index - 1]?.to ?? 0);
      for (const one of given) expect(kept.some(({ from, to }) => from < one.to && one.from < to)).toBe(true);
      if (given[0]) expect(kept).toContain(given[0]);
    }),
  );
});

test('A topic links its addresses, with or without linkifiers', () => {
  expect(linksOfTopic('see https://a.b/c, (http://d.e)', noLinker)).toEqual([
    { text: 'https://a.b/c', url: 'https://a.b/c' },
    { text: 'http://d.e', url: 'http://d.e' },
  ]);
  expect(linksOfTopic('https://a.b', linkerOf('https://a.b'))).toEqual([
    { text: 'https://a.b', url: 'https://example.com/' },
  ]);
  expect(linksOfTopic('https: javascript:alert(1) a.b', noLinker)).toEqual([]);
});

describe('A template', () => {
  test.each([
    ['https://a.b/{x}', ['x']],
    ['https://a.b{/x,y*}{?z:3}{&q}{#f}{+r}{;s}{.t}', ['x', 'y', 'z', 'q', 'f', 'r', 's', 't']],
    ['https://{host}/a%20b', ['host']],
    ['mailto:{x}@a.b', ['x']],
    ['HTTP://a.b/', []],
    ['https://a.b/{a.b}', ['a.b']],
  ])('Yields its variables: %j', (template, names) => {
    expect([...variablesOf(template)]).toEqual(names);
  });
});

describe('Patterns that are made to be slow', () => {
  const letters = 'ab ';
  const noise = Array.from({ length: 10_000 }, (_, n) => letters[(n * n * 7 + n) % 3]).join('');
  const texts = ['a'.repeat(9_999), 'a '.repeat(5_000), noise, `${noise.slice(1)}c`, 'é '.repeat(5_000)];

  test.each([
    '(a+)+$',
    '(a|aa)+c',
    '([a-z]+ )*[a-z]+!',
    '(.*a){50}c',
    '(a?){200}a{200}',
    '[ab ]*a[ab ]{300}c|a|b',
    '(.*c)?',
    'a.*c|a|b',
    '(?:(a)|(b)|( )|(ab)){1,100}c',
  ])('Take negligible time: %j', (pattern) => {
    expect(readPattern(pattern).size).toBeLessThanOrEqual(2_000);
    const linker = linkerOf(pattern);
    for (const text of texts) {
      const start = process.cpuUsage();
      renderMarkdown(text, { ...nothingKnown, linker }).html;
      // Processor time, since a busy machine gives it late.
      expect(process.cpuUsage(start).user / 1_000).toBeLessThan(5_000);
    }
  });

  test('End when the budget of all linkifiers for one message is used up', () => {
    const pattern = '[ab ]*a[ab ]{300}c|a|b';
    const { size } = readPattern(pattern);
    const links = linkerOf(pattern).open()('a '.repeat(5_000));
    const perSearch = 10_000 * size;
    expect(links.length).toBeGreaterThan(0);
    expect(links.length).toBeLessThan((2 * 12_000_000) / perSearch);
  });

  test('Make no message larger than an item may be', () => {
    const long = `https://example.com/${'y'.repeat(900)}/{x}`;
    const linker = compileLinkifiers([
      {
        id: 1,
        pattern: 'a',
        urlTemplate: long,
        exampleInput: null,
        reverseTemplate: null,
        alternativeUrlTemplates: [],
      },
    ]);
    const html = renderMarkdown('a '.repeat(5_000), { ...nothingKnown, linker }).html;
    expect(html.match(/<a /g)?.length).toBe(54);
    expect(html.length).toBeLessThan(100_000);
    expect(linkerOf('a').open()('a '.repeat(200))).toHaveLength(200);
  });
});
