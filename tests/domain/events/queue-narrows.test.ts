import { describe, expect, test } from 'vitest';
import type { Message } from '#shared/domain/messages/message.ts';
import { noPreferences } from '#shared/domain/narrow/term.ts';
import { asksForTopics, matchesQueueNarrow } from '#shared/events/queue-narrow.ts';

const inTopic = (topic: string): Message =>
  ({ kind: 'channel', messageId: 7, channelId: 1, channelName: 'general', topic, senderId: 10 }) as Message;

const context = { callerId: 10, flags: [], view: { subscription: undefined }, preferences: noPreferences };

describe('The narrow of a queue', () => {
  test('Depends on muted and followed topics if it selects these, and not if a topic has such a name', () => {
    expect(
      [['is', 'muted'] as const, ['is', 'followed'] as const].map(([...term]) => asksForTopics([term])),
    ).toEqual([true, true]);
    for (const term of [
      ['is', 'dm'],
      ['topic', 'muted'],
      ['channel', 'followed'],
    ] as [string, string][])
      expect(asksForTopics([term]), term.join(' ')).toBe(false);
    expect(
      asksForTopics([
        ['channel', 'general'],
        ['is', 'muted'],
      ]),
    ).toBe(true);
  });

  test('Treats a topic named like a type of channel as a topic', () => {
    expect(matchesQueueNarrow([['topic', 'stream']], inTopic('stream'), context)).toBe(true);
    expect(matchesQueueNarrow([['topic', 'stream']], inTopic('other'), context)).toBe(false);
    expect(matchesQueueNarrow([['is', 'stream']], inTopic('other'), context)).toBe(true);
  });
});
