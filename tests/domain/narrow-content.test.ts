import { describe, expect, test } from 'vitest';
import { BadNarrow } from '#shared/domain/errors.ts';
import type { Mentions } from '#shared/domain/messages/mentions.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { matches, mayMatch } from '#shared/domain/narrow/matches.ts';
import { type NarrowElement, parseNarrow } from '#shared/domain/narrow/parse.ts';
import { noPreferences, type ResolvedTerm } from '#shared/domain/narrow/term.ts';
import { findWithId, settleWith } from '#shared/domain/narrow/with.ts';
import { renderMarkdown } from '#shared/markdown/render.ts';
import { channelMessage, directMessage } from '#tests/harness/samples.ts';
import { CALLER } from './narrow-messages.ts';

const post = channelMessage({
  messageId: 9,
  senderId: 2,
  channelId: 7,
  channelName: 'design',
  topic: 'Logo',
});
const direct = directMessage(9, 2, [CALLER]);

const isMatch = (element: NarrowElement, message: Message, flags: string[] = []): boolean =>
  matches(parseNarrow([element]) as ResolvedTerm[], message, {
    callerId: CALLER,
    flags,
    view: undefined,
    preferences: noPreferences,
  });
const withHtml = (html: string): Message => ({ ...post, html });

describe('A message of an unknown channel', () => {
  test.each(['public', 'web-public', 'archived'])('Does not match the channel %s', (operand) => {
    expect(isMatch(['channels', operand], post)).toBe(false);
  });
});

describe('The possible mentions of a message, without its channel', () => {
  const mayMention = (mentions: Mentions | undefined): boolean =>
    mayMatch(
      parseNarrow([['is', 'mentioned']]) as ResolvedTerm[],
      { ...post, ...(mentions && { mentions }) },
      {
        callerId: CALLER,
        view: undefined,
        preferences: noPreferences,
      },
    );

  test.each<[string, Mentions | undefined, boolean]>([
    ['without a mention', undefined, false],
    ['that names another user', { userIds: [2] }, false],
    ['that names them', { userIds: [2, CALLER] }, true],
    ['to a group, of which they may be', { members: '5' }, true],
    ['to everybody', { everybody: true }, true],
    ['to who takes part', { participants: '5' }, true],
  ])('Include a message %s: %j, %j', (_message, mentions, isIt) => {
    expect(mayMention(mentions)).toBe(isIt);
  });
});

describe('The term has', () => {
  test.each([
    ['link', renderMarkdown('see https://example.com').html],
    ['links', renderMarkdown('[text](https://example.com)').html],
    ['attachment', '<p><a href="/user_uploads/2/ab/plan.pdf">plan.pdf</a></p>'],
    ['attachments', '<p><a class="x" href="/user_uploads/2/ab/plan.pdf">plan.pdf</a></p>'],
    ['image', '<div class="message_inline_image"><a href="/x.png"><img src="/x.png"></a></div>'],
    ['image', '<p><img alt="x" class="inline-image" src="/x.png"></p>'],
  ])('Matches %s for %s', (operand, html) => {
    expect(isMatch(['has', operand], withHtml(html))).toBe(true);
    expect(isMatch(['-has', operand], withHtml(html))).toBe(false);
  });

  test.each([
    ['link', renderMarkdown('`<a href="https://example.com">`').html],
    ['attachment', renderMarkdown('[x](https://example.com/user_uploads/2/ab)').html],
    ['image', renderMarkdown('&lt;img src=x&gt;').html],
    ['image', '<p><img alt=":party:" class="emoji" src="/party.png" title="party"></p>'],
    ['reaction', '<p>hi</p>'],
  ])('Does not match %s for %s', (operand, html) => {
    expect(isMatch(['has', operand], withHtml(html))).toBe(false);
  });

  test('Matches reaction if a user has reacted', () => {
    const reaction = {
      userId: 3,
      emojiName: 'tada',
      emojiCode: '1f389',
      reactionType: 'unicode_emoji' as const,
    };
    expect(isMatch(['has', 'reaction'], { ...post, reactions: [reaction] })).toBe(true);
    expect(isMatch(['has', 'reaction'], { ...post, reactions: [] })).toBe(false);
  });
});

test('The term mentions matches a message that names the user, and none that means them otherwise', () => {
  const isFor = (userId: number, mentions: Message['mentions']) =>
    isMatch({ operator: 'mentions', operand: userId }, { ...post, ...(mentions && { mentions }) });
  expect(isFor(12, { userIds: [1, 12] })).toBe(true);
  expect(isFor(120, { userIds: [1, 12] })).toBe(false);
  expect(isFor(12, { everybody: true, members: 'some', participants: 'others' })).toBe(false);
  expect(isFor(12, undefined)).toBe(false);
});

describe('The term is', () => {
  test.each([
    ['starred', 'starred'],
    ['mentioned', 'mentioned'],
    ['mentioned', 'stream_wildcard_mentioned'],
    ['mentioned', 'topic_wildcard_mentioned'],
    ['alerted', 'has_alert_word'],
  ])('Matches %s by the flag %s', (operand, flag) => {
    expect(isMatch(['is', operand], post, [flag])).toBe(true);
    expect(isMatch(['is', operand], post, ['read', 'collapsed'])).toBe(false);
    expect(isMatch(['-is', operand], post, [flag])).toBe(false);
  });
});

describe('The term with', () => {
  const settle = (elements: NarrowElement[], message: Message | undefined) => {
    const terms = parseNarrow([...elements, { operator: 'with', operand: 9 }]);
    expect(findWithId(terms)).toBe(9);
    const { written, settled } = settleWith(terms, message, CALLER);
    return [...settled, ...written];
  };
  const kept: NarrowElement = ['is', 'unread'];
  const others: NarrowElement[] = [
    ['channel', 'elsewhere'],
    ['-topic', 'x'],
    ['dm', 'a@example.com'],
  ];

  test('Selects the topic or conversation of the message, whatever other terms name', () => {
    expect(settle([kept, ...others], post)).toEqual([
      { kind: 'channel', channel: 7, isNegated: false },
      { kind: 'topic', topic: 'Logo', isNegated: false },
      { kind: 'is', operand: 'unread', isNegated: false },
    ]);
    expect(settle([kept, ...others], direct)).toEqual([
      { kind: 'direct', users: [2], written: '', isNegated: false },
      { kind: 'is', operand: 'unread', isNegated: false },
    ]);
  });

  test('Gets ignored for an unreadable message if another term names a conversation', () => {
    expect(settle(others, undefined)).toEqual(parseNarrow(others));
    expect(() => settle([kept], undefined)).toThrow(new BadNarrow("Invalid 'with' operator"));
  });
});
