import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeHtml } from '#shared/domain/html-text.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { matches } from '#shared/domain/narrow/matches.ts';
import { noPreferences, type ResolvedTerm } from '#shared/domain/narrow/term.ts';
import { parseSearch } from '#shared/domain/search/query.ts';
import { termsAsked, termsOf } from '#shared/domain/search/terms.ts';
import { always } from '#tests/harness/property.ts';
import { channelMessage, directMessage } from '#tests/harness/samples.ts';

const CALLER = 1;

const inChannel = (content: string, topic = 'topic', channelId = 1): Message =>
  channelMessage({ channelId, topic, content, html: `<p>${escapeHtml(content)}</p>` });

const direct = (content: string, userIds: number[]): Message =>
  directMessage(1, 7, [], {
    recipients: userIds.map((id) => ({ id, email: 'x@example.com', fullName: 'X' })),
    content,
    html: `<p>${escapeHtml(content)}</p>`,
  });

const search = (text: string): ResolvedTerm => ({
  kind: 'search',
  query: parseSearch(text),
  isNegated: false,
});
const queried = (...narrow: ResolvedTerm[]): number[] => termsAsked(narrow, CALLER);

/** Whether the index finds a message for a narrow. */
function isFound(message: Message, narrow: ResolvedTerm[]): boolean {
  const terms = termsOf(message);
  return queried(...narrow).every((term) => terms.has(term));
}

const context = { callerId: CALLER, flags: [], view: undefined, preferences: noPreferences };

/** Words, scripts without spaces, accents, symbols, halves of characters, and whatever separates them. */
const pieces = fc.constantFrom(
  ...['walrus', 'Walruses', 'planning', 'planned', 'other', 'others', 'the', 'a', 'ab', 'é', 'Straße', 'İ'],
  ...['東京', '京', 'です', 'カ\u3099', 'ไทย', '한국', '𠮷', '🎉', '\ud83c', '\udf89', 'ﬁ', '²', '\u0301'],
  ...['2.0', 'a@b.c', 'c++', '#', '"', "'", '’', '“', ' ', ' ', ' ', '\n', '\u00a0', '-', '_', '<', '&amp;'],
);
const text = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));

describe('The index terms of messages', () => {
  test('Include everything that a search finds', () => {
    let found = 0;
    always(
      fc.property(text, text, fc.nat(), fc.nat(), fc.boolean(), (content, topic, from, length, isQuoted) => {
        const whole = `${content} ${topic}`;
        const start = from % (whole.length + 1);
        const asked = whole.slice(start, start + 1 + (length % 12));
        const term = search(isQuoted ? `"${asked.replaceAll('"', '')}"` : asked);
        const message = inChannel(content, topic);
        if (!matches([term], message, context)) return true;
        found++;
        return isFound(message, [term]);
      }),
      { numRuns: 5_000 },
    );
    expect(found).toBeGreaterThan(1_000);
  });

  test('Include everything that other terms of a narrow find', () => {
    const one = fc.oneof(
      fc.record({ kind: fc.constant('sender' as const), user: fc.constantFrom(7, 8) }),
      fc.record({ kind: fc.constant('channel' as const), channel: fc.constantFrom(1, 2) }),
      fc.record({ kind: fc.constant('topic' as const), topic: fc.constantFrom('Plan', 'plan', 'topic') }),
      fc.record({
        kind: fc.constant('direct' as const),
        users: fc.constantFrom<number[]>([], [2], [2, 3]),
        written: fc.constant(''),
      }),
      fc.record({
        kind: fc.constant('directIncluding' as const),
        user: fc.constantFrom(2, 3),
        isGroup: fc.boolean(),
      }),
      fc.record({
        kind: fc.constant('is' as const),
        operand: fc.constantFrom('dm' as const, 'resolved' as const),
      }),
      fc.record({
        kind: fc.constant('has' as const),
        operand: fc.constantFrom('link' as const, 'image' as const),
      }),
      fc.record({ kind: fc.constant('mentions' as const), user: fc.constantFrom(2, 3) }),
    );
    const narrow = fc.array(fc.record({ term: one, isNegated: fc.boolean() }), { maxLength: 3 });
    const linked = { html: '<p><a href="x">x</a> <span class="user-mention" data-user-id="2">@B</span></p>' };
    const messages: Message[] = [
      inChannel('x', 'plan', 2),
      { ...inChannel('x', 'topic', 1), ...linked },
      direct('x', [CALLER]),
      direct('x', [CALLER, 2]),
      { ...direct('x', [CALLER, 2, 3]), ...linked },
    ];
    always(
      fc.property(narrow, fc.constantFrom(...messages), (given, message) => {
        const terms = given.map(({ term, isNegated }): ResolvedTerm => ({ ...term, isNegated }));
        return !matches(terms, message, context) || isFound(message, terms);
      }),
      { numRuns: 3_000 },
    );
  });

  test.each([
    ['walrus', 'a seal'],
    ['"deploy failed"', 'deploying is broken'],
    ['"lo, wor"', 'hello wide world'],
    ['2.0', 'version 2.1'],
    ['東京', '京東'],
    ['猫', '犬'],
    ['🎉', '🎈'],
  ])('Exclude from a search for %j a message with %j', (asked, content) => {
    expect(isFound(inChannel(content), [search(asked)])).toBe(false);
  });

  test('Serve narrows that only the index can decide, and then with the place', () => {
    const channel: ResolvedTerm = { kind: 'channel', channel: 1, isNegated: false };
    const topic: ResolvedTerm = { kind: 'topic', topic: 'plan', isNegated: false };
    expect(queried(channel)).toEqual([]);
    expect(queried(channel, topic)).toEqual([]);
    expect(queried(topic)).toHaveLength(1);
    expect(queried({ kind: 'is', operand: 'dm', isNegated: false })).toEqual([]);
    expect(queried(search('walrus'), channel, topic)).toHaveLength(3);
    expect(queried({ ...search('walrus'), isNegated: true })).toEqual([]);
    expect(queried(search('the'), search('"ab"'))).toEqual([]);
  });
});
