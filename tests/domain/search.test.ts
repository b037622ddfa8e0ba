import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeHtml, textOfHtml } from '#shared/domain/html-text.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { fold } from '#shared/domain/search/fold.ts';
import { highlight } from '#shared/domain/search/highlight.ts';
import { isFoundIn, parseSearch } from '#shared/domain/search/query.ts';
import { stem } from '#shared/domain/search/stem.ts';
import { stopWords } from '#shared/domain/search/stop-words.ts';
import { termsAsked, termsOf } from '#shared/domain/search/terms.ts';
import { nothingKnown } from '#shared/markdown/known.ts';
import { findReferences } from '#shared/markdown/references.ts';
import { renderMarkdown } from '#shared/markdown/render.ts';
import { loadParts } from '#shared/store/messages/markdown-parts.ts';
import { always } from '#tests/harness/property.ts';
import { channelMessage } from '#tests/harness/samples.ts';

const messageOf = (content: string, topic = 'topic'): Message =>
  channelMessage({ topic, content, html: renderMarkdown(content).html });

const finds = (search: string, content: string, topic?: string): boolean =>
  isFoundIn(parseSearch(search), messageOf(content, topic));

describe('A search', () => {
  test.each([
    ['hello', 'Hello, world'],
    ['WORLD hello', 'Hello, world'],
    ['message', 'two messages'],
    ['planning', 'we planned it'],
    ['archive', 'archived'],
    ['cafe', 'Café'],
    ['CAFÉ', 'cafe\u0301'],
    ['strasse', 'Straße'],
    ['οδος', 'ΟΔΟΣ'],
    ['"lo, wor"', 'Hello, world'],
    ['2.0', 'version 2.0.1'],
    ["it's", 'it’s here'],
    ['“lo, wor”', 'Hello, world'],
    ['a@b.example', 'write to a@b.example'],
    ['東京', 'これは東京です'],
    ['🎉', 'done 🎉'],
    ['bold', 'a **bold** word'],
    ['a<b', 'if a<b'],
    ['"a & b"', 'a & b'],
    ['the logo', 'a logo'],
    ['the', 'the logo'],
    ['"the logo', 'the logo'],
    ['회의록', '회의록을 공유합니다'],
    ['회의록'.normalize('NFD'), '회의록을'],
    ['npm', '`npm`을 설치'],
    ['npm', '使用npm安装'],
    ['كتاب', 'كِتَابٌ جديد'],
    ['كِتاب', 'كتـاب'],
    ['שלום', 'שָׁלוֹם'],
    ['cooperation', 'co\u00adop\u00ader\u00adation'],
    ['می‌خواهم', 'میخواهم'],
    ['❤', 'I ❤\ufe0f this'],
    ['❤\ufe0f', 'I ❤ this'],
  ])('For %j finds %j', (search, content) => {
    expect(finds(search, content)).toBe(true);
  });

  test.each([
    ['hello moon', 'Hello, world'],
    ['ell', 'Hello, world'],
    ['"world hello"', 'Hello, world'],
    ['"the logo"', 'a logo'],
    ['the', 'a logo'],
    ['strong', 'a **bold** word'],
    ['example', '[text](https://example.com)'],
    ['amp', 'a & b'],
    ['2.0', 'version 2 0'],
  ])('For %j does not find %j', (search, content) => {
    expect(finds(search, content)).toBe(false);
  });

  test.each([
    ['🍕', 'lunch 🍕 at noon'],
    ['🍕', 'lunch :pizza:'],
    ['"lunch 🍕 at"', 'lunch :pizza: at noon'],
    ['pizza', 'lunch 🍕'],
    [':pizza:', 'lunch 🍕'],
    ['👍', ':thumbsup:'],
    ['☎\ufe0f', ':phone:'],
    ['🇩🇪', ':flag-de:'],
    ['🏴󠁧󠁢󠁳󠁣󠁴󠁿', ':flag-scotland:'],
    ['👨‍👩‍👧', 'all: 👨‍👩‍👧'],
    ['1\ufe0f\u20e3', ':one:'],
  ])('For %j finds the emoji of %j', async (search, content) => {
    const { html } = renderMarkdown(content, {
      ...nothingKnown,
      ...(await loadParts(findReferences(content))),
    });
    const message = { ...messageOf(content), html };
    expect(isFoundIn(parseSearch(search), message)).toBe(true);
    expect(termsOf(message)).toEqual(
      termsOf(message).union(
        new Set(termsAsked([{ kind: 'search', query: parseSearch(search), isNegated: false }], 1)),
      ),
    );
    expect(highlight(html, [parseSearch(search)])).toContain('<span class="highlight">');
  });

  test('Requires every word, each in content or topic', () => {
    expect(finds('logo blue', 'make it blue', 'Logo')).toBe(true);
    expect(finds('logo red', 'make it blue', 'Logo')).toBe(false);
    expect(finds('"logo blue"', 'blue', 'logo')).toBe(false);
  });

  test('Finds every word of a message', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdeinorsty'), minLength: 1, maxLength: 9 });
    always(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.nat(), (words, place) => {
        expect(finds(words[place % words.length] ?? '', words.join(' '))).toBe(true);
      }),
    );
  });
});

describe('The stem of a word', () => {
  test.each([
    ['cats', 'cat'],
    ['ponies', 'pony'],
    ['ties', 'tie'],
    ['caresses', 'caress'],
    ['running', 'run'],
    ['hoped', 'hope'],
    ['hopping', 'hop'],
    ['falling', 'fall'],
    ['agreed', 'agree'],
    ['messaging', 'messages'],
    ['sized', 'size'],
    ['happy', 'happies'],
  ])('Equals for %j that of %j', (one, other) => {
    expect(stem(one)).toBe(stem(other));
  });

  test.each([
    ['hoping', 'hopping'],
    ['sing', 's'],
    ['need', 'ne'],
  ])('Differs for %j from that of %j', (one, other) => {
    expect(stem(one)).not.toBe(stem(other));
  });

  test('Starts the word, except for its last letter', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abdeginstyz'), minLength: 1, maxLength: 10 });
    const ending = fc.constantFrom('', 's', 'ies', 'sses', 'ed', 'eed', 'ing', 'ating', 'y', 'e');
    always(
      fc.property(word, ending, (start, end) => {
        expect(`${start}${end}`.startsWith(stem(start + end).slice(0, -1))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('Stop words appear once each, in the form of the comparison', () => {
  expect(new Set(stopWords).size).toBe(stopWords.length);
  expect(stopWords.map(fold)).toEqual(stopWords);
});

describe('The text of HTML', () => {
  test('Has escaped characters decoded', () => {
    always(
      fc.property(fc.string(), (text) => {
        expect(textOfHtml(`<p>${escapeHtml(text)}</p>`)).toBe(text);
      }),
    );
  });

  test.each([
    ['<p>a<br>\nb</p>', 'a\nb'],
    ['&lt;&#65;&#x42;&nbsp;&unknown;&#9999999;', '<AB\u00a0&unknown;&#9999999;'],
    ['a < b & c', 'a < b & c'],
  ])('Turns %j into %j', (html, text) => {
    expect(textOfHtml(html)).toBe(text);
  });
});
