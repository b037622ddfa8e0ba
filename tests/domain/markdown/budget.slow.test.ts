import * as fc from 'fast-check';
import hljs from 'highlight.js/lib/common';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Known } from '#shared/markdown/known.ts';
import { renderDescription, renderMarkdown } from '#shared/markdown/render.ts';
import { always } from '#tests/harness/property.ts';
import { costOfUsual, everyLanguage, leastCostOf, TIMES_USUAL, TIMES_USUAL_WITH_LINKIFIERS } from './cost.ts';
import { everything, withSlowLinkifiers } from './everything.ts';
import { CODE, DEEP, NASTY_PIECES, PATHOLOGICAL } from './hostile.ts';
import { slowTexts } from './slowest.ts';

const MAX_MESSAGE_BYTES = 150_000;
const MAX_DESCRIPTION_BYTES = 20_000;

let limitMs: number;
let limitWithLinkifiersMs: number;
beforeAll(() => {
  const usualMs = costOfUsual();
  limitMs = TIMES_USUAL * usualMs;
  limitWithLinkifiersMs = TIMES_USUAL_WITH_LINKIFIERS * usualMs;
});

describe('Rendering a message', () => {
  it.each(slowTexts.map((text) => [text.name, text] as const))('Takes bounded work: %s', (_name, text) => {
    expect(leastCostOf(text, limitMs)).toBeLessThan(limitMs);
  });

  it('Takes bounded work for marks that are repeated or nested deeply', () => {
    for (const text of [...PATHOLOGICAL, ...DEEP]) {
      const source = text.slice(0, 10_000);
      expect(leastCostOf({ name: '', source }, limitMs), source.slice(0, 20)).toBeLessThan(limitMs);
    }
  });

  it('Takes bounded work for any message, which becomes bounded HTML', () => {
    always(
      fc.property(texts, (source) => {
        expect(leastCostOf({ name: '', source }, limitMs)).toBeLessThan(limitMs);
        const { html } = renderMarkdown(source, everything);
        expect(Buffer.byteLength(html)).toBeLessThanOrEqual(MAX_MESSAGE_BYTES);
      }),
      { numRuns: 60, seed: 20_261_122 },
    );
  });

  it.each([
    ['(.*){8}', 22, '(?P<id>(.*){8})'],
    ['(.*)(.*)…', 1, `(?P<id>${'(.*)'.repeat(200)})`],
    ['(.)|(.)|…', 1, `(?P<id>(?:${'(.)|'.repeat(190)}b)+)`],
    ['#[0-9]+', 60, '#(?P<id>[0-9]+)'],
  ])('Takes bounded work with linkifiers like %s', (_name, count, pattern) => {
    const known = withSlowLinkifiers(pattern, count);
    for (const unit of ['a ', '#1 ']) {
      const source = unit.repeat(10_000).slice(0, 10_000);
      expect(leastCostOf({ name: unit, source }, limitWithLinkifiersMs, known), unit).toBeLessThan(
        limitWithLinkifiersMs,
      );
    }
  });

  it('Takes bounded work to load all grammars', () => {
    expect(leastCostOf(everyLanguage, limitMs)).toBeLessThan(limitMs);
  });

  it('Gives the same HTML each time', () => {
    for (const { source } of slowTexts.filter((_, n) => n % 8 === 0))
      expect(renderMarkdown(source, everything)).toEqual(renderMarkdown(source, everything));
  });

  it('Logs nothing', () => {
    const warn = vi.spyOn(console, 'warn');
    const { html } = renderMarkdown(`$$🙂${'é'.repeat(50)}$$`, everything);
    expect(html).toContain('class="katex"');
    expect(warn).not.toHaveBeenCalled();
    console.warn('still heard');
    expect(warn).toHaveBeenCalledOnce();
  });
});

describe('HTML that would become too long', () => {
  const link = (n: number) => `https://example.com/${'&'.repeat(n)}`;
  const long: Known = {
    ...everything,
    linker: { open: () => (text) => [...text].map((_, n) => ({ from: n, to: n + 1, url: link(40) })) },
  };

  it('Turns into the source as text, and mentions no user', () => {
    const source = `@**all** **<b>**\n${'x'.repeat(2_000)}`;
    expect(renderMarkdown(source, long)).toEqual({
      html: `<p>@**all** **&lt;b&gt;**<br>\n${'x'.repeat(2_000)}</p>`,
      mentionedUserIds: [],
      mentionedGroupIds: [],
      mentionsChannel: false,
      mentionsTopic: false,
    });
  });

  it('Counts in bytes', () => {
    const source = `[${'中'.repeat(2_000)}](http://a)`;
    const known = { ...everything, linker: { open: () => () => [] } };
    const { length } = renderMarkdown(source, known).html;
    const limits = { addedCharacters: 0, htmlBytes: 2 * length };
    expect(renderMarkdown(source, known, limits).html).toBe(`<p>${source}</p>`);
    expect(renderMarkdown(source, known, { ...limits, htmlBytes: 3 * length }).html).toContain('<a href');
  });

  it('Has a lower limit in a description than in a message', () => {
    for (const unit of ['$$x$$ ', ':smile:', '|a|\n|-|\n', '"', '🙂', '@**Ada** ']) {
      const source = unit.repeat(1_024).slice(0, 1_024);
      expect(Buffer.byteLength(renderDescription(source, everything)), unit).toBeLessThanOrEqual(
        MAX_DESCRIPTION_BYTES,
      );
    }
    const rows = `|${'a|'.repeat(50)}\n|${'-|'.repeat(50)}\n${'|\n'.repeat(90)}`;
    expect(renderMarkdown(rows).html).toContain('<table>');
    expect(renderDescription(rows)).not.toContain('<table>');
  });
});

const pieces = fc.constantFrom(
  ...NASTY_PIECES,
  ...CODE,
  'a',
  ' ',
  '\n',
  'https://a.b/',
  'www.a.b',
  '|',
  '&amp;',
);
const unit = fc.array(pieces, { minLength: 1, maxLength: 4 }).map((found) => found.join(''));
const fill = (one: string, length: number): string =>
  one.repeat(Math.ceil(length / one.length)).slice(0, length);
const body = fc.oneof(
  unit.map((one) => fill(one, 9_900)),
  fc.tuple(unit, unit).map(([one, other]) => fill(one, 4_950) + fill(other, 4_950)),
  fc.tuple(unit, unit, fc.integer({ min: 2, max: 1_000 })).map(([open, close, depth]) => {
    const nest = `${open.repeat(depth)}x${close.repeat(depth)}`;
    return fill(nest, 9_900);
  }),
);
/** Long texts of one thing, of two halves, or of things within each other; many of them are code. */
const texts = fc.oneof(
  body,
  fc
    .tuple(fc.constantFrom(...hljs.listLanguages()), body)
    .map(([language, code]) => `~~~~~~${language}\n${code}\n~~~~~~`),
  body.map((formula) => `\`\`\`math\n${formula.slice(0, 1_990)}\n\`\`\`\n`.repeat(5).slice(0, 10_000)),
);
