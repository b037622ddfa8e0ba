import { describe, expect, test } from 'vitest';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { htmlDifference } from '#shared/domain/messages/editing/html-difference.ts';
import { movedMessage, type PlacedMessage } from '#shared/domain/messages/moving/move.ts';
import {
  arrivalOf,
  continueTo,
  wasAlongTheWay,
  wasLeftBehind,
  wasNeverLost,
} from '#shared/domain/messages/moving/move-history.ts';
import type { Interval, Subscription } from '#shared/domain/subscriptions/subscription.ts';
import { movedPolicy } from '#shared/domain/topics/moved.ts';
import { channelMessage } from '#tests/harness/samples.ts';

/** A user who left has read all messages until then. */
const subscriptionsOf = (intervals: Record<number, Interval[]>) =>
  new Map(
    Object.entries(intervals).map(([channelId, own]) => [
      Number(channelId),
      {
        channelId: Number(channelId),
        intervals: own,
        readThrough: Math.max(0, ...own.map(([, to]) => to ?? 0)),
      } as Subscription,
    ]),
  );

describe('A message that was moved through channels', () => {
  const first = { messageId: 10, channelId: 1 };
  const journey = continueTo(first, { channelId: 2, isPrivate: true }, 20);
  const moved = { messageId: 10, channelId: 2, journey };
  const again = {
    messageId: 10,
    channelId: 1,
    journey: continueTo(moved, { channelId: 1, isPrivate: false }, 30),
  };

  test('Has the time at which it was moved to its channel', () => {
    expect([first, moved, again].map(arrivalOf)).toEqual([10, 20, 30]);
  });

  test.each<[Record<number, Interval[]>, boolean[]]>([
    [{ 1: [[5, null]], 2: [[5, null]] }, [true, true, true]],
    [{ 1: [[5, null]] }, [true, false, false]],
    [{ 2: [[5, null]] }, [false, false, false]],
    [{ 1: [[5, 15]], 2: [[5, null]] }, [true, true, false]],
    [{ 1: [[5, null]], 2: [[25, null]] }, [true, false, false]],
  ])('Counts as received by a user who was in each of them then: %j', (intervals, received) => {
    const subscriptions = subscriptionsOf(intervals);
    expect([first, moved, again].map((message) => wasAlongTheWay(message, subscriptions))).toEqual(received);
  });

  test('Becomes read if the user left a channel while it was there', () => {
    const whileThere = subscriptionsOf({
      1: [
        [5, 15],
        [16, null],
      ],
      2: [[5, null]],
    });
    expect(wasLeftBehind(moved, whileThere)).toBe(true);
    const beforeIt = subscriptionsOf({
      1: [[5, null]],
      2: [
        [5, 8],
        [9, null],
      ],
    });
    expect(wasLeftBehind(moved, beforeIt)).toBe(false);
    const afterIt = subscriptionsOf({
      1: [
        [5, 25],
        [26, null],
      ],
      2: [[5, null]],
    });
    expect(wasLeftBehind(moved, afterIt)).toBe(false);
  });

  test('Becomes read only as far as the user has read, in its current and earlier channels', () => {
    const read = (channelId: number, intervals: Interval[], readThrough: number) =>
      new Map([[channelId, { channelId, intervals, readThrough } as Subscription]]);
    const stays: Interval[] = [[5, null]];
    expect(wasLeftBehind(first, read(1, stays, 9))).toBe(false);
    expect(wasLeftBehind(first, read(1, stays, 10))).toBe(true);
    expect(wasLeftBehind(moved, read(2, stays, 19))).toBe(false);
    expect(wasLeftBehind(moved, read(2, stays, 20))).toBe(true);
    expect(wasLeftBehind({ messageId: 1, channelId: 1 }, new Map())).toBe(false);
    // They have left, but the remaining messages are not marked yet.
    const left: Interval[] = [[5, 15]];
    expect(wasLeftBehind(moved, read(1, left, 14))).toBe(false);
    expect(wasLeftBehind(moved, read(1, left, 15))).toBe(true);
  });

  test('Disappears for users who could not follow, whatever happened later', () => {
    const follower = subscriptionsOf({ 2: [[5, null]] });
    expect(wasNeverLost(again, follower, false)).toBe(true);
    expect(wasNeverLost(again, subscriptionsOf({}), false)).toBe(false);
    expect(wasNeverLost(again, follower, true)).toBe(false);
  });
});

describe('The policy of a topic that another one moves to', () => {
  test.each([
    [3, 0, false, 3],
    [0, 1, false, 1],
    [1, 2, true, 2],
    [1, 0, true, 0],
    [3, 1, true, 3],
    [0, 0, true, 0],
  ] as const)('From %i to %i, merged: %s', (old, present, isMerged, policy) => {
    expect(movedPolicy(old, present, isMerged)).toBe(policy);
  });
});

describe('The difference of two texts', () => {
  test.each([
    [
      'a b c',
      'a x c',
      'a <span class="highlight_text_deleted">b</span><span class="highlight_text_inserted">x</span> c',
    ],
    ['a', 'a b', 'a<span class="highlight_text_inserted"> b</span>'],
    ['a a', 'a', 'a<span class="highlight_text_deleted"> a</span>'],
    ['<script>', '', '<span class="highlight_text_deleted">&lt;script&gt;</span>'],
  ])('From %s becomes %s', (before, after, html) => {
    expect(htmlDifference(before, after)).toBe(`<div><p>${html}</p></div>`);
  });
});

test('A message remembers its last 100 moves, the newest first', () => {
  const channel = { channelId: 1, name: 'room', isPrivate: false } as Channel;
  let message = channelMessage({ messageId: 7, topic: 'topic 0' }) as PlacedMessage;
  for (let n = 1; n <= 102; n++)
    message = movedMessage(
      message,
      { channel, topic: `topic ${n}`, topicLinks: [] },
      { userId: 7, atSeconds: n, position: 100 + n },
    );
  expect(message.moves).toHaveLength(100);
  expect(message.moves?.at(0)?.topic).toBe('topic 101');
  expect(message.moves?.at(-1)?.topic).toBe('topic 2');
});
