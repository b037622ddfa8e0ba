import { describe, expect, test } from 'vitest';
import { onlySubscription } from '#shared/domain/messages/access.ts';
import { flagsOf, isTheirs } from '#shared/domain/messages/flags.ts';
import { RecipientSets } from '#shared/domain/messages/mentions.ts';
import { summarizeUnread } from '#shared/domain/messages/unread.ts';
import { withBits } from '#shared/domain/reading/bitmap.ts';
import { Marks } from '#shared/domain/reading/marks.ts';
import { subscribeAt, unsubscribeAt } from '#shared/domain/subscriptions/subscription.ts';
import type { User } from '#shared/domain/users/user.ts';
import { channelMessage } from '#tests/harness/samples.ts';
import { CALLER } from '../narrow-messages.ts';

const user = { userId: CALLER } as User;
const message = {
  ...channelMessage({ messageId: 5, senderId: 2, channelId: 7, topic: 'Logo' }),
  mentions: { userIds: [CALLER] },
};
const subscription = subscribeAt(undefined, { userId: CALLER, channelId: 7 }, '#000000', 1);
const received = onlySubscription(subscription);
/** A user who joined after the message. */
const later = onlySubscription({ ...subscription, intervals: [[6, null]] });
const never = onlySubscription(undefined);

function marksOf({ unread = false, starred = false }): Marks {
  const read = new Uint8Array();
  const marks = new Marks({
    ...{ floor: 0, revision: 1, markedAllAt: 0, unreadBlocks: new Set(unread ? [0] : []) },
    ...{
      starredBlocks: new Set(starred ? [0] : []),
      collapsedBlocks: new Set(),
      hiddenPreviewBlocks: new Set(),
    },
  });
  if (unread) marks.addBlock({ block: 0, revision: 1, markedAllAt: 0, read, unread: withBits(read, [5]) });
  if (starred) marks.addFlagged('starred', { block: 0, revision: 1, ids: new Set([5]) });
  return marks;
}

describe('The flags of a message', () => {
  test('Make it history for its recipients, and for users who marked it after finding it', () => {
    expect(isTheirs(user, message, received, marksOf({}))).toBe(true);
    expect(isTheirs(user, message, never, marksOf({}))).toBe(false);
    expect(isTheirs(user, message, never, marksOf({ unread: true }))).toBe(true);
    expect(isTheirs(user, message, never, marksOf({ starred: true }))).toBe(true);
  });

  test('Include mentions and alert words only for its recipients', () => {
    const flags = (subscriptions: typeof received, given: Parameters<typeof marksOf>[0]) =>
      flagsOf(user, message, subscriptions, {
        ...{ marks: marksOf(given), alerts: { concern: () => true }, recipientSets: new RecipientSets() },
      });
    expect(flags(received, {})).toEqual(['mentioned', 'has_alert_word']);
    expect(flags(never, {})).toEqual(['read', 'historical']);
    expect(flags(later, { unread: true })).toEqual(['historical']);
    expect(flags(never, { starred: true })).toEqual(['read', 'starred', 'historical']);
    const left = onlySubscription({ ...unsubscribeAt(subscription, 9), readThrough: 9 });
    expect(flags(left, {})).toEqual(['read', 'mentioned', 'has_alert_word']);
  });

  test('Count it as an unread mention only for its recipients', () => {
    const mentions = (intervals: (typeof subscription)['intervals']) =>
      summarizeUnread([message], {
        ...{ userId: CALLER, subscriptions: new Map([[7, { ...subscription, intervals }]]) },
        ...{ policies: new Map(), allowsEmptyTopic: true, isPartial: false },
        recipientSets: new RecipientSets(),
      }).mentions;
    expect(mentions([[1, null]])).toEqual([5]);
    expect(mentions([[6, null]])).toEqual([]);
  });
});
