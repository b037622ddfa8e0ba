import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeHtml, textOfHtml } from '#shared/domain/html-text.ts';
import { highlight } from '#shared/domain/search/highlight.ts';
import { toMatchRecord } from '#shared/domain/search/match-record.ts';
import { isFoundIn, parseSearch } from '#shared/domain/search/query.ts';
import { renderMarkdown } from '#shared/markdown/render.ts';
import { always } from '#tests/harness/property.ts';
import { channelMessage } from '#tests/harness/samples.ts';

const show = (html: string, ...searches: string[]): string => highlight(html, searches.map(parseSearch));
const mark = (text: string): string => `<span class="highlight">${text}</span>`;

describe('Highlighting of search terms', () => {
  test.each([
    ['<p>Hello, world</p>', 'hello', `<p>${mark('Hello')}, world</p>`],
    ['<p>Hello, hello</p>', 'HELLO', `<p>${mark('Hello')}, ${mark('hello')}</p>`],
    ['<p>two messages</p>', 'message', `<p>two ${mark('messages')}</p>`],
    ['<p>Café cafe\u0301 x</p>', 'cafe', `<p>${mark('Café')} ${mark('cafe\u0301')} x</p>`],
    ['<p>Straße</p>', 'strasse', `<p>${mark('Straße')}</p>`],
    ['<p>a &amp; b &lt;c&gt;</p>', '"a & b"', `<p>${mark('a &amp; b')} &lt;c&gt;</p>`],
    ['<p>a &amp; b</p>', 'amp', '<p>a &amp; b</p>'],
    [
      '<p><a href="https://span.example/p">p</a></p>',
      'p',
      `<p><a href="https://span.example/p">${mark('p')}</a></p>`,
    ],
    ['<p>x <strong>bo</strong>ld</p>', 'bold', `<p>x <strong>${mark('bo')}</strong>${mark('ld')}</p>`],
    ['<p>one<br>\ntwo</p>', 'span highlight class', '<p>one<br>\ntwo</p>'],
    ['<p>the logo</p>', 'the logo', `<p>the ${mark('logo')}</p>`],
    ['<p>aaa</p>', '"a"', `<p>${mark('aaa')}</p>`],
  ])('Marks in %j the spans: %j', (html, search, expected) => {
    expect(show(html, search)).toBe(expected);
  });

  test('Marks several terms, and overlapping ones once', () => {
    expect(show('<p>one two three</p>', '"one two"', 'two', 'three')).toBe(
      `<p>${mark('one two')} ${mark('three')}</p>`,
    );
  });
});

const words = fc.constantFrom(
  'a',
  'b',
  'logo',
  'Logos',
  'amp',
  'span',
  'é',
  'e\u0301',
  'ß',
  '東京',
  '&',
  '<',
  '"',
  ' ',
  '\n',
  '**',
  '`',
);
const source = fc.oneof(
  fc.array(words, { maxLength: 12 }).map((all) => all.join(' ')),
  fc.string(),
);
const search = fc.oneof(
  fc
    .array(
      fc.oneof(
        words,
        words.map((word) => `"${word}"`),
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((all) => all.join(' ')),
  fc.string({ minLength: 1 }),
);
const markup = fc.constantFrom(
  '<b>',
  '</b>',
  '<br>',
  '<a href="/logo?a=1&amp;b" title="a \'b\'">',
  '</a>',
  '&#97;',
  '&#xE9;',
  '&eacute;',
);
const htmlOf = fc.oneof(
  source.map((source) => renderMarkdown(source).html),
  fc.array(fc.oneof(words.map(escapeHtml), markup), { maxLength: 12 }).map((all) => all.join('')),
  fc.string().map(escapeHtml),
);

const SPAN = /<span class="highlight">([^<]*)<\/span>/gs;

describe('Any highlighting', () => {
  test('Leaves the same HTML without its spans, and never changes tags or entities', () => {
    always(
      fc.property(htmlOf, search, (html, searched) => {
        const shown = show(html, searched);
        expect(shown.replace(SPAN, '$1')).toBe(html);
        expect(textOfHtml(shown)).toBe(textOfHtml(html));
        for (const [, inside] of shown.matchAll(SPAN)) expect(inside).not.toBe('');
        for (const tag of html.match(/<[^>]*>/g) ?? []) expect(shown).toContain(tag);
      }),
      { numRuns: 500 },
    );
  });

  test('Marks something in every message that a search finds, in content or topic', () => {
    always(
      fc.property(source, source, search, (content, topic, searched) => {
        const message = channelMessage({ topic, content, html: renderMarkdown(content).html });
        const query = parseSearch(searched);
        const { match_content: html, match_subject: subject } = toMatchRecord(message, [query]);
        expect(subject.replace(SPAN, '$1')).toBe(escapeHtml(topic));
        expect(html.replace(SPAN, '$1')).toBe(message.html);
        fc.pre(query.stems.length + query.phrases.length > 0 && isFoundIn(query, message));
        expect(html + subject).toContain('<span class="highlight">');
      }),
      { numRuns: 500 },
    );
  });
});
