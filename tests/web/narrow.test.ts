import { describe, expect, test } from 'vitest';
import {
  canonical,
  conversationOf,
  conversationOfMessage,
  directNarrow,
  keyOfNarrow,
  type Narrow,
  namesChannels,
  narrowOf,
  operandOf,
  shows,
  topicNarrow,
  toWire,
  withChannelIds,
} from '#web/state/narrow.ts';
import type { Snapshot } from '#web/state/wire.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { message, recipients, snapshot, topicPolicy, VIEWER } from './scene.ts';

/** `-is:starred channel:9` as a narrow. */
const narrow = (text: string): Narrow =>
  text.split(' ').map((word) => {
    const [operator = '', operand = ''] = word.replace(/^-/, '').split(':');
    return { operator, operand, ...(word.startsWith('-') && { negated: true }) };
  });

const direct = (ids: number[], fields: Partial<Message> = {}): Message => {
  const { stream_id: _, ...rest } = message(5, { type: 'private', subject: '' });
  return { ...rest, display_recipient: recipients(...ids), ...fields };
};

const viewer: Snapshot = snapshot({
  user_topics: [topicPolicy('quiet', 1), topicPolicy('lunch', 2, 10), topicPolicy('launch', 3)],
  muted_users: [{ id: 4, timestamp: 1 }],
});

describe('The filter of a feed', () => {
  const inChannel = message(5);
  test.each<[string, Message, shown: boolean]>([
    ['channel:9', inChannel, true],
    ['channel:10', inChannel, false],
    ['-channel:9', inChannel, false],
    ['-channel:10', inChannel, true],
    ['channel:9', direct([VIEWER, 2]), false],
    ['topic:LOGO', inChannel, true],
    ['topic:logos', inChannel, false],
    ['topic:logo', message(5, { subject: 'Logo' }), true],
    ['topic:logo', direct([VIEWER, 2], { subject: 'logo' }), false],
    ['channel:9 topic:logo', inChannel, true],
    ['channel:9 topic:print', inChannel, false],
    ['dm:2', direct([VIEWER, 2]), true],
    ['dm:1,2', direct([VIEWER, 2]), true],
    ['dm:2', direct([VIEWER, 2, 3]), false],
    ['dm:2,3', direct([VIEWER, 2]), false],
    ['dm:3', direct([VIEWER, 2]), false],
    ['dm:1', direct([VIEWER]), true],
    ['dm:1', direct([VIEWER, 2]), false],
    ['dm:1', inChannel, false],
    ['dm-including:2', direct([VIEWER, 2, 3]), true],
    ['dm-including:2,3', direct([VIEWER, 2]), false],
    ['dm-including:', inChannel, false],
    ['sender:2', inChannel, true],
    ['sender:3', inChannel, false],
    ['sender:me', inChannel, false],
    ['sender:me', message(5, { sender_id: VIEWER }), true],
    ['in:home', inChannel, true],
    ['in:home', message(5, { subject: 'quiet' }), false],
    ['in:home', message(5, { stream_id: 10 }), false],
    ['in:home', message(5, { stream_id: 10, subject: 'Lunch' }), true],
    ['in:home', message(5, { sender_id: 4 }), false],
    ['in:home', direct([VIEWER, 2]), true],
    ['in:home', direct([VIEWER, 2], { subject: 'quiet' }), true],
    ['in:all', message(5, { subject: 'quiet' }), true],
    ['is:muted', message(5, { subject: 'quiet' }), true],
    ['is:muted', inChannel, false],
    ['is:followed', message(5, { subject: 'Launch' }), true],
    ['is:followed', inChannel, false],
    ['is:followed', direct([VIEWER, 2], { subject: 'launch' }), false],
    ['is:muted', direct([VIEWER, 2], { subject: 'quiet' }), false],
    ['is:dm', direct([VIEWER, 2]), true],
    ['is:private', direct([VIEWER, 2]), true],
    ['is:dm', inChannel, false],
    ['is:starred', message(5, { flags: ['starred'] }), true],
    ['is:starred', inChannel, false],
    ['is:unread', inChannel, true],
    ['is:unread', message(5, { flags: ['read'] }), false],
    ['is:mentioned', message(5, { flags: ['mentioned'] }), true],
    ['is:mentioned', message(5, { flags: ['stream_wildcard_mentioned'] }), true],
    ['is:mentioned', message(5, { flags: ['starred'] }), false],
    ['is:alerted', message(5, { flags: ['has_alert_word'] }), true],
    ['is:alerted', message(5, { flags: ['mentioned'] }), false],
    ['is:resolved', message(5, { subject: '✔ logo' }), true],
    ['is:resolved', inChannel, false],
    ['with:7', inChannel, true],
  ])('Decides %s: %#', (text, candidate, shown) =>
    expect(shows(narrow(text), candidate, viewer)).toBe(shown),
  );

  test.each([
    ['search:word', undefined],
    ['is:newsworthy', undefined],
    ['channel:9 search:word', undefined],
    ['search:word channel:10', false],
    ['-search:word channel:9', undefined],
  ])('Leaves %s to the service if it must: %s', (text, shown) =>
    expect(shows(narrow(text), message(5), viewer)).toBe(shown),
  );
});

test('Equal narrows have one key, in which a topic is folded and a negation stays', () => {
  expect(keyOfNarrow(narrow('channel:9 topic:LoGo'))).toBe('channel:9 topic:logo');
  expect(keyOfNarrow(narrow('-topic:Logo search:Word'))).toBe('-topic:logo search:Word');
});

test.each([
  ['stream', 'channel'],
  ['streams', 'channels'],
  ['subject', 'topic'],
  ['pm-with', 'dm'],
  ['pm_with', 'dm'],
  ['group-pm-with', 'dm-including'],
  ['from', 'sender'],
  ['has', 'has'],
])('The operator %s of old clients equals %s', (old, today) => expect(canonical(old)).toBe(today));

test('The operand of a narrow comes from the term that is not negated', () => {
  expect(operandOf(narrow('-channel:9 channel:10'), 'channel')).toBe('10');
  expect(operandOf(narrow('-channel:9'), 'channel')).toBeUndefined();
});

test('The people of a conversation are sorted by id', () => {
  expect(directNarrow([30, 4, 200])).toEqual([{ operator: 'dm', operand: '4,30,200' }]);
});

const channels = [{ stream_id: 12, name: 'Design Team' }];
test.each([
  ['channel:design-team', true, 'channel:12'],
  ['channel:9', false, 'channel:9'],
  ['channel:elsewhere', true, 'channel:elsewhere'],
  ['topic:design-team', false, 'topic:design-team'],
])('A narrow that names a channel: %s', (text, isNamed, withId) => {
  expect(namesChannels(narrow(text))).toBe(isNamed);
  expect(keyOfNarrow(withChannelIds(narrow(text), channels))).toBe(withId);
});

describe('The one conversation that a narrow shows', () => {
  const topic = { type: 'stream', channelId: 9, topic: 'logo' };
  test.each([
    ['channel:9 topic:logo', topic],
    ['topic:logo channel:9', topic],
    ['channel:9 topic:logo with:7', topic],
    ['dm:2,3', { type: 'private', userIds: [2, 3] }],
    ['dm:2 with:7', { type: 'private', userIds: [2] }],
    ['channel:9', undefined],
    ['channel:9 is:unread', undefined],
    ['topic:logo is:unread', undefined],
    ['channel:9 topic:logo is:unread', undefined],
    ['channel:9 -topic:logo', undefined],
    ['dm:2 is:unread', undefined],
    ['-dm:2', undefined],
    ['is:dm', undefined],
  ])('%s', (text, conversation) => expect(conversationOf(narrow(text))).toEqual(conversation));

  test('Gives the narrow of that conversation back', () => {
    for (const terms of [topicNarrow(9, 'logo'), directNarrow([2, 3])]) {
      const conversation = conversationOf(terms);
      expect(conversation && narrowOf(conversation)).toEqual(terms);
    }
  });
});

test('The conversation of a message has its topic, or its other people', () => {
  expect(conversationOfMessage(message(5), VIEWER)).toEqual({ type: 'stream', channelId: 9, topic: 'logo' });
  const others = (...ids: number[]) => conversationOfMessage(direct(ids), VIEWER);
  expect(others(VIEWER, 3, 2)).toEqual({ type: 'private', userIds: [3, 2] });
  expect(others(VIEWER, 2)).toEqual({ type: 'private', userIds: [2] });
  expect(others(VIEWER)).toEqual({ type: 'private', userIds: [VIEWER] });
});

test('The service gets ids as numbers, names unchanged, and the viewer by id', () => {
  const wire = toWire(
    narrow('channel:9 channel:design -dm:2,3 dm-including:4 sender:me sender:7 sender:a@b topic:9'),
    VIEWER,
  );
  expect(wire).toEqual([
    { operator: 'channel', operand: 9, negated: false },
    { operator: 'channel', operand: 'design', negated: false },
    { operator: 'dm', operand: [2, 3], negated: true },
    { operator: 'dm-including', operand: [4], negated: false },
    { operator: 'sender', operand: VIEWER, negated: false },
    { operator: 'sender', operand: 7, negated: false },
    { operator: 'sender', operand: 'a@b', negated: false },
    { operator: 'topic', operand: '9', negated: false },
  ]);
  expect(toWire(narrow('channel:9x'), VIEWER)[0]?.operand).toBe('9x');
  expect(toWire([{ operator: 'dm', operand: '' }], VIEWER)[0]?.operand).toEqual([]);
});
