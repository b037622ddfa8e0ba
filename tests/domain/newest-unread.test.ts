import { describe, expect, test } from 'vitest';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import { newestUnread } from '#shared/domain/messages/newest-unread.ts';

const messages = (count: number, topicOf: (n: number) => string): MessageFacts[] =>
  Array.from(
    { length: count },
    (_, n) => ({ kind: 'channel', messageId: n + 1, channelId: 1, topic: topicOf(n) }) as MessageFacts,
  );

describe('Unread messages of a snapshot', () => {
  test('Come all while there is room, however many are in one topic', () => {
    const unread = messages(50_000, () => 'the same');
    expect(newestUnread(unread)).toEqual({ newest: unread, isPartial: false });
  });

  test('Come up to 800 000 bytes: 12 each, 80 for each conversation, twice its topic or 8 for each person', () => {
    const fits = (unread: MessageFacts[], count: number) => {
      expect(newestUnread(unread.slice(0, count))).toEqual({
        ...{ newest: unread.slice(0, count), isPartial: false },
      });
      expect(newestUnread(unread.slice(0, count + 1))).toEqual({
        ...{ newest: unread.slice(1, count + 1), isPartial: true },
      });
    };
    const four = (n: number) => n.toString(36).padStart(4, '0');
    fits(messages(8_001, four), 8_000);
    fits(
      messages(8_001, (n) => four(n >> 1)).map((one, n) => ({ ...one, channelId: n & 1 }) as MessageFacts),
      8_000,
    );
    const direct = (n: number) => ({ kind: 'direct', messageId: n, recipients: [{ id: n }] }) as MessageFacts;
    fits(
      Array.from({ length: 8_001 }, (_, n) => direct(n)),
      8_000,
    );
    fits(
      messages(66_660, () => 'x'.repeat(6)),
      66_659,
    );
  });

  test('Come from the newest on if each has a topic of its own', () => {
    const unread = messages(50_000, (n) => `${'😀'.repeat(50)} ${n}`);
    const { newest, isPartial } = newestUnread(unread);
    expect(isPartial).toBe(true);
    expect(newest.length).toBeGreaterThan(900);
    expect(newest).toEqual(unread.slice(-newest.length));
    expect(
      Buffer.byteLength(JSON.stringify(newest.map((one) => ('topic' in one ? one.topic : '')))),
    ).toBeLessThan(800_000);
  });
});
