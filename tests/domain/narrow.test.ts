import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BadNarrow, BadRequest } from '#shared/domain/errors.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { matches } from '#shared/domain/narrow/matches.ts';
import { type NarrowElement, parseNarrow } from '#shared/domain/narrow/parse.ts';
import { chooseSource, includesHistory, isInSource } from '#shared/domain/narrow/source.ts';
import type { ResolvedTerm } from '#shared/domain/narrow/term.ts';
import { channelMessage, directMessage } from '#tests/harness/samples.ts';
import { CALLER, type Circumstances, contextOf } from './narrow-messages.ts';

const logo = channelMessage({ messageId: 10, senderId: 2, channelId: 7, topic: 'Logo' });
const resolved = channelMessage({ messageId: 11, senderId: 1, channelId: 7, topic: '✔ Logo' });
const untitled = channelMessage({ messageId: 12, senderId: 3, channelId: 8, topic: '' });
const pair = directMessage(13, 2, [CALLER]);
const group = directMessage(14, CALLER, [2, 3]);
const note = directMessage(15, CALLER, []);
const all = [logo, resolved, untitled, pair, group, note];

/** The messages that one term finds among all; its names are ids already. */
const found = (element: NarrowElement, circumstances: Circumstances = {}): Message[] => {
  const terms = parseNarrow([element]) as ResolvedTerm[];
  return all.filter((message) => matches(terms, message, contextOf(message, circumstances)));
};

describe('One term', () => {
  test.each<[NarrowElement, Message[]]>([
    [{ operator: 'channel', operand: 7 }, [logo, resolved]],
    [{ operator: 'stream', operand: 8 }, [untitled]],
    [{ operator: 'STREAM', operand: 8 }, [untitled]],
    [['topic', 'LOGO'], [logo]],
    [['subject', ' logo '], [logo]],
    [['topic', ''], [untitled]],
    [['topic', 'general chat'], [untitled]],
    [['topic', '(no topic)'], [untitled]],
    [{ operator: 'sender', operand: 2 }, [logo, pair]],
    [{ operator: 'from', operand: 3 }, [untitled]],
    [{ operator: 'dm', operand: [2] }, [pair]],
    [{ operator: 'dm', operand: 2 }, [pair]],
    [{ operator: 'pm-with', operand: [3, 2] }, [group]],
    [{ operator: 'pm_with', operand: [1, 2, 3, 3] }, [group]],
    [{ operator: 'dm', operand: [1] }, [note]],
    [{ operator: 'dm', operand: [] }, [note]],
    [{ operator: 'dm-including', operand: 2 }, [pair, group]],
    [{ operator: 'group-pm-with', operand: 2 }, [group]],
    [{ operator: 'id', operand: 12 }, [untitled]],
    [['id', '14'], [group]],
    [
      ['is', 'dm'],
      [pair, group, note],
    ],
    [
      ['is', 'private'],
      [pair, group, note],
    ],
    [['is', 'resolved'], [resolved]],
    [['is', 'unread'], all],
    [['is', 'starred'], []],
    [['is', 'mentioned'], []],
    [['is', 'alerted'], []],
    [['is', 'followed'], []],
    [['is', 'muted'], []],
    [['in', 'all'], all],
    [['in', 'home'], all],
    [
      ['channels', 'public'],
      [logo, resolved, untitled],
    ],
    [['streams', 'web-public'], []],
    [['channels', 'archived'], []],
    [{ operator: 'near', operand: 12 }, all],
  ])('Finds its messages, and all others if negated: %j', (element, expected) => {
    expect(found(element)).toEqual(expected);
    const [operator, operand] = Array.isArray(element) ? element : [element.operator, element.operand];
    const others = all.filter((message) => !expected.includes(message));
    expect(found({ operator, operand, negated: true })).toEqual(others);
    expect(found({ operator: `-${operator}`, operand })).toEqual(others);
  });

  test('Matches the state of the channel and the flags of the caller', () => {
    expect(found(['is', 'unread'], { flags: ['read'] })).toEqual([]);
    expect(found(['is', 'muted'], { isMuted: true })).toEqual([logo, resolved, untitled]);
    expect(found(['in', 'home'], { isMuted: true })).toEqual([pair, group, note]);
    expect(found(['is', 'muted'], { isMuted: true, topics: { LOGO: 2, '✔ logo': 3 } })).toEqual([untitled]);
    expect(found(['is', 'muted'], { topics: { logo: 1 } })).toEqual([logo]);
    expect(found(['is', 'followed'], { topics: { logo: 3, '✔ logo': 2 } })).toEqual([logo]);
    expect(found(['in', 'home'], { topics: { logo: 1 }, mutedUserIds: [3, CALLER] })).toEqual([pair]);
    expect(found(['channels', 'public'], { channel: { isPrivate: true } })).toEqual([]);
    expect(found(['channels', 'archived'], { channel: { isArchived: true } })).toEqual([
      logo,
      resolved,
      untitled,
    ]);
  });
});

describe('A narrow', () => {
  test.each([undefined, null, []])('Filters nothing as %j', (given) => {
    expect(parseNarrow(given)).toEqual([]);
    expect(all.every((message) => matches([], message, contextOf(message)))).toBe(true);
  });

  test.each<[NarrowElement, string]>([
    [['telepathy', 'x'], 'unknown operator telepathy'],
    [['-', 'x'], 'unknown operator '],
    [['has', 'LINK'], "unknown 'has' operand LINK"],
    [['near', 'x'], 'Invalid message ID'],
    [['constructor', 'x'], 'unknown operator constructor'],
    [['is', 'DM'], "unknown 'is' operand DM"],
    [['in', 'x'], "unknown 'in' operand x"],
    [['channels', 'x'], 'unknown channels operand x'],
    [['id', '-1'], 'Invalid message ID'],
    [{ operator: 'id', operand: -1 }, 'Invalid message ID'],
    [['id', '1.0'], 'Invalid message ID'],
  ])('With %j is refused, since it has no meaning', (element, description) => {
    expect(() => parseNarrow([element])).toThrow(new BadNarrow(description));
  });

  test.each<[NarrowElement, string]>([
    [{ operator: 'topic', operand: 5 }, 'a string'],
    [{ operator: 'is', operand: [5] }, 'a string'],
    [{ operator: 'channel', operand: [5] }, 'a string or integer'],
    [{ operator: 'near', operand: [5] }, 'a string or integer'],
  ])('With %j is refused, for the type of its operand', (element, expected) => {
    const text = `Invalid narrow[1]: Value error, operand is not ${expected}`;
    expect(() => parseNarrow([['topic', 'x'], element])).toThrow(new BadRequest(text));
  });

  test('Names people by addresses with commas between them', () => {
    const [term] = parseNarrow([['dm', ' a@example.com,b@example.com ']]);
    expect(term).toMatchObject({ kind: 'direct', users: ['a@example.com', 'b@example.com'] });
  });

  test.each<[NarrowElement[], boolean]>([
    [[], false],
    [[{ operator: 'channel', operand: 7 }], true],
    [[{ operator: 'channel', operand: 7, negated: true }], false],
    [[['topic', 'x']], false],
    [[['channels', 'public']], true],
    [[['channels', 'archived']], false],
    [[{ operator: 'channel', operand: 7 }, ['is', 'resolved']], true],
    [[{ operator: 'channel', operand: 7 }, ['is', 'unread']], false],
    [[{ operator: 'channel', operand: 7 }, ['-is', 'starred']], false],
  ])('Finds as %j messages never received: %j', (elements, expected) => {
    expect(includesHistory(parseNarrow(elements) as ResolvedTerm[])).toBe(expected);
  });
});

const userId = fc.integer({ min: 1, max: 4 });
const messageId = fc.integer({ min: 1, max: 6 });
const topic = fc.constantFrom('', 'a', 'A', '✔ a');

const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  fc
    .record({ messageId, senderId: userId, channelId: fc.integer({ min: 1, max: 3 }), topic })
    .map(channelMessage),
  fc
    .tuple(messageId, userId, fc.array(userId, { maxLength: 3 }))
    .map(([id, sender, others]) =>
      directMessage(id, sender, sender === CALLER ? others : [...others, CALLER]),
    ),
);

const anyTerm: fc.Arbitrary<NarrowElement> = fc
  .tuple(
    fc.oneof(
      fc.tuple(fc.constantFrom('channel', 'stream'), fc.integer({ min: 1, max: 3 })),
      fc.tuple(fc.constant('topic'), topic),
      fc.tuple(fc.constantFrom('sender', 'dm-including', 'group-pm-with'), userId),
      fc.tuple(fc.constant('dm'), fc.array(userId, { maxLength: 3 })),
      fc.tuple(fc.constant('id'), messageId),
      fc.tuple(fc.constant('is'), fc.constantFrom('dm', 'unread', 'resolved', 'muted', 'starred')),
      fc.tuple(fc.constant('channels'), fc.constantFrom('public', 'archived')),
      fc.tuple(fc.constant('in'), fc.constantFrom('home', 'all')),
      fc.tuple(fc.constant('search'), fc.constantFrom('hi', 'a', '"h"')),
      fc.tuple(fc.constant('has'), fc.constantFrom('link', 'reaction')),
    ),
    fc.boolean(),
  )
  .map(([[operator, operand], negated]) => ({ operator, operand, negated }));

const circumstances = fc.record({
  flags: fc.subarray(['read']),
  isMuted: fc.boolean(),
  channel: fc.record({ isPrivate: fc.boolean(), isArchived: fc.boolean() }),
});

describe('Any narrow', () => {
  test('Finds exactly the messages that every one of its terms finds alone', () => {
    fc.assert(
      fc.property(
        fc.array(anyTerm, { maxLength: 4 }),
        anyMessage,
        circumstances,
        (elements, message, around) => {
          const terms = parseNarrow(elements) as ResolvedTerm[];
          const context = contextOf(message, around);
          const alone = terms.every((term) => matches([term], message, context));
          expect(matches(terms, message, context)).toBe(alone);
        },
      ),
    );
  });

  test('Reads nothing for a topic that is longer than any topic', () => {
    const sourceOf = (topic: string) =>
      chooseSource(
        parseNarrow([
          { operator: 'channel', operand: 7 },
          { operator: 'topic', operand: topic },
        ]) as ResolvedTerm[],
        CALLER,
      ).kind;
    for (const topic of ['\u{130}'.repeat(60), 'e\u{301}'.repeat(60), '𝔛'.repeat(60)])
      expect(sourceOf(topic)).toBe('topic');
    for (const topic of ['漢'.repeat(1_000), 'x'.repeat(361)]) expect(sourceOf(topic)).toBe('nothing');
  });

  test('Finds nothing outside the collection that is read for it', () => {
    fc.assert(
      fc.property(
        fc.array(anyTerm, { maxLength: 4 }),
        anyMessage,
        circumstances,
        (elements, message, around) => {
          const terms = parseNarrow(elements) as ResolvedTerm[];
          fc.pre(matches(terms, message, contextOf(message, around)));
          expect(isInSource(chooseSource(terms, CALLER), message)).toBe(true);
        },
      ),
    );
  });
});
