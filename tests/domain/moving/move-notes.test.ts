import { describe, expect, test } from 'vitest';
import type { Channel } from '#shared/domain/channels/channel.ts';
import type { StoredMessage } from '#shared/domain/messages/message.ts';
import { type DoneMove, isUndoneBy, notesOfMove } from '#shared/domain/messages/moving/move-notes.ts';
import { inEnglish } from '#shared/domain/texts/texts.ts';

const OPEN = 1;
const CLOSED = 2;
const OTHER = 3;
const GONE = 4;
const channels = new Map(
  [
    { channelId: OPEN, name: 'open', isPrivate: false },
    { channelId: CLOSED, name: 'closed', isPrivate: true },
    { channelId: OTHER, name: 'other', isPrivate: true },
  ].map((channel) => [channel.channelId, channel as Channel]),
);
const at = (channelId: number, topic: string) => ({ channelId, topic });
const notes = (change: Partial<DoneMove> = {}) =>
  notesOfMove(
    {
      from: at(OPEN, 'a'),
      to: at(OPEN, 'b'),
      count: 3,
      isWhole: false,
      notifiesOld: true,
      notifiesNew: true,
      ...change,
    },
    'Ada',
    channels,
    inEnglish,
  );
const texts = (change: Partial<DoneMove>): string[] => notes(change).map(({ content }) => content);

describe('The notes of a move', () => {
  test('Name the number of messages and the place of the others', () => {
    expect(notes()).toEqual([
      {
        place: at(OPEN, 'b'),
        isAtDestination: true,
        content: '3 messages were moved here from #**open>a** by Ada.',
      },
      {
        place: at(OPEN, 'a'),
        isAtDestination: false,
        content: '3 messages were moved from this topic to #**open>b** by Ada.',
      },
    ]);
    expect(texts({ count: 1 })).toEqual([
      'A message was moved here from #**open>a** by Ada.',
      'A message was moved from this topic to #**open>b** by Ada.',
    ]);
    for (const count of [1, 3])
      expect(texts({ count, isWhole: true })).toEqual([
        'This topic was moved here from #**open>a** by Ada.',
        'This topic was moved to #**open>b** by Ada.',
      ]);
  });

  test('Appear only on request', () => {
    expect(notes({ notifiesOld: false }).map(({ place }) => place)).toEqual([at(OPEN, 'b')]);
    expect(notes({ notifiesNew: false }).map(({ place }) => place)).toEqual([at(OPEN, 'a')]);
    expect(notes({ notifiesOld: false, notifiesNew: false })).toEqual([]);
  });

  test.each([
    ['a public channel to a private one', OPEN, CLOSED, '#**open>a**', 'a private channel'],
    ['a private channel to a public one', CLOSED, OPEN, 'a private channel', '#**open>b**'],
    ['one private channel to another', CLOSED, OTHER, 'a private channel', 'a private channel'],
    ['one topic of a private channel to another', CLOSED, CLOSED, '#**closed>a**', '#**closed>b**'],
    ['a channel that is gone', GONE, OPEN, 'a private channel', '#**open>b**'],
  ])('From %s name no private channel in another one', (_what, from, to, old, present) => {
    expect(texts({ from: at(from, 'a'), to: at(to, 'b'), isWhole: true })).toEqual([
      `This topic was moved here from ${old} by Ada.`,
      `This topic was moved to ${present} by Ada.`,
    ]);
  });

  test('Mention a resolved or reopened topic once, with or without notes', () => {
    const [open, resolved] = [at(OPEN, 'a'), at(OPEN, '✔ a')];
    for (const notifies of [true, false]) {
      const wished = { isWhole: true, notifiesOld: notifies, notifiesNew: notifies };
      expect(notes({ from: open, to: resolved, ...wished })).toEqual([
        { place: resolved, isAtDestination: true, content: 'Ada has marked this topic as resolved.' },
      ]);
      expect(notes({ from: resolved, to: open, ...wished })).toEqual([
        { place: open, isAtDestination: true, content: 'Ada has marked this topic as unresolved.' },
      ]);
      expect(notes({ from: open, to: resolved, ...wished, isWhole: false })).toEqual([]);
    }
  });

  test('Remain ordinary for a topic that another channel has as resolved', () => {
    expect(texts({ to: at(CLOSED, '✔ a'), isWhole: true })).toEqual([
      'This topic was moved here from #**open>a** by Ada.',
      'This topic was moved to a private channel by Ada.',
    ]);
  });
});

describe('A note about a resolved topic', () => {
  const BOT = 1;
  const sent = (change: Partial<StoredMessage> = {}) =>
    ({
      senderId: BOT,
      atSeconds: 100,
      content: 'Ada has marked this topic as resolved.',
      ...change,
    }) as StoredMessage;
  const [note] = notes({ from: at(OPEN, '✔ a'), to: at(OPEN, 'a'), isWhole: true });
  const isUndone = (message: StoredMessage, nowSeconds = 160) =>
    isUndoneBy(message, note!, BOT, nowSeconds, inEnglish);

  test('Disappears with the opposite one within a minute, whichever user caused it', () => {
    for (const name of ['Ada', 'Bo'])
      expect(isUndone(sent({ content: `${name} has marked this topic as resolved.` }))).toBe(true);
    expect(isUndone(sent(), 161)).toBe(false);
  });

  test.each<[what: string, change: Partial<StoredMessage>]>([
    ['of another sender', { senderId: BOT + 1 }],
    ['that says the same', { content: note!.content }],
    ['about something else', { content: 'This topic was moved to #**open>b** by Ada.' }],
  ])('Stays if the later one is %s', (_what, change) => {
    expect(isUndone(sent(change))).toBe(false);
  });
});
