import { describe, expect, test } from 'vitest';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { isInScope, scopeOf } from '#shared/domain/exports/scope.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { Interval } from '#shared/domain/subscriptions/subscription.ts';
import { roles, spectator, type User } from '#shared/domain/users/user.ts';

const CHANNEL_ID = 7;

const secret = {
  channelId: CHANNEL_ID,
  name: 'secret',
  isPrivate: true,
  isWebPublic: false,
  isHistoryPublic: false,
  isArchived: false,
} as Channel;

const member = (userId: number): User => ({ ...spectator, userId, role: roles.member });

/**
 * The contents of an export of a private channel with hidden history, by the subscriptions of the consenting users.
 */
function heldOf(...subscribed: Interval[][]) {
  const readers = subscribed.map((intervals, n) => ({
    user: member(n + 1),
    ties: [{ channelId: CHANNEL_ID, intervals }],
  }));
  const scope = scopeOf('full_with_consent', [secret], readers);
  const consenting = new Set(scope.consentingIds);
  return {
    parts: scope.channels[CHANNEL_ID],
    holds: (messageId: number) =>
      isInScope(scope, consenting, {
        kind: 'channel',
        messageId,
        channelId: CHANNEL_ID,
        topic: 't',
      } as Message),
  };
}

describe('An export with consent holds of protected history', () => {
  test('Nothing of a channel that no consenting user was in', () => {
    expect(heldOf([]).parts).toBeUndefined();
  });

  test('Each interval of a consenting user', () => {
    const { parts, holds } = heldOf([
      [10, 20],
      [30, null],
    ]);
    expect(parts).toEqual([
      [10, 20],
      [30, null],
    ]);
    expect([10, 11, 19, 20, 30, 31].filter(holds)).toEqual([11, 19, 31]);
  });

  test('Nothing for one who has left a private channel', () => {
    expect(heldOf([[10, 20]]).parts).toBeUndefined();
  });

  // Current subscribers of a private channel may read the messages of their time there.
  test.each<{ title: string; one: Interval; other: Interval; parts: Interval[] }>([
    { title: 'overlap', one: [10, 20], other: [15, 30], parts: [[10, 30]] },
    { title: 'lie in each other', one: [10, 30], other: [15, 20], parts: [[10, 30]] },
    { title: 'begin together', one: [10, 20], other: [10, 30], parts: [[10, 30]] },
    {
      title: 'only touch, where one left when the other came',
      one: [10, 20],
      other: [20, 30],
      parts: [
        [10, 20],
        [20, 30],
      ],
    },
    {
      title: 'lie apart',
      one: [10, 20],
      other: [25, 30],
      parts: [
        [10, 20],
        [25, 30],
      ],
    },
  ])('The union of intervals of two users that $title', ({ one, other, parts }) => {
    const isThere: Interval = [100, null];
    for (const [first, second] of [
      [one, other],
      [other, one],
    ] as const)
      expect(heldOf([first, isThere], [second, isThere]).parts).toEqual([...parts, isThere]);
  });

  test('Everything since the first of them joined, if that one is still there', () => {
    expect(heldOf([[10, null]], [[15, null]]).parts).toEqual([[10, null]]);
    expect(heldOf([[15, null]], [[10, null]]).parts).toEqual([[10, null]]);
    const cameAgain: Interval[] = [
      [15, 20],
      [30, null],
    ];
    expect(heldOf([[10, null]], cameAgain).parts).toEqual([[10, null]]);
    expect(heldOf(cameAgain, [[25, null]]).parts).toEqual([
      [15, 20],
      [25, null],
    ]);
  });
});
