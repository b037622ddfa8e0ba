import { describe, expect, test } from 'vitest';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import { newestUnread } from '#shared/domain/messages/newest-unread.ts';

const messages = (count: number, topicOf: (n: number) => string): MessageFacts[] =>
  Array.from(
    { length: count },
    (_, n) => ({ kind: 'channel', messageId: n + 1, channelId: 1, topic: topicOf(n) }) as MessageFacts,
  );

describe('unread messages of a snapshot', () => {
  test('are all told while there is room, however many are in one topic', () => {
    const unread = messages(50_000, () => 'the same');
    expect(newestUnread(unread)).toEqual({ newest: unread, isPartial: false });
  });

  test('are told from the newest on where each has a topic of its own', () => {
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
