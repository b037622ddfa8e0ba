import { describe, expect, test } from 'vitest';
import { followUps } from '#shared/domain/channels/announcements.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import type { Target } from '#shared/domain/subscriptions/batches.ts';
import type { User } from '#shared/domain/users/user.ts';

const ACTOR = 7;
const person = (userId: number, isBot = false) => ({ userId, isBot }) as User;
const target = (channelId: number, made: Partial<Target> = {}) =>
  ({ channel: { channelId } as Channel, isNew: false, ...made }) as Target;
const arrived = (channelId: number, userId: number, made: Partial<Target> = {}, isBot = false) => ({
  user: person(userId, isBot),
  target: target(channelId, made),
});

describe('The notices after subscribing people', () => {
  const tellsPeople = { announces: false, tellsPeople: true };

  test('Name all existing channels once for each person, except for bots and the caller', () => {
    const done = [
      ...[arrived(1, 8), arrived(1, ACTOR), arrived(1, 9), arrived(1, 10, {}, true)],
      ...[arrived(2, 8), arrived(3, 8, { isNew: true }), arrived(4, 8, { isOurs: true })],
    ];
    const [, notices] = followUps(ACTOR, done, tellsPeople);
    expect(notices).toEqual({
      type: 'notify-subscribed',
      payload: {
        actorId: ACTOR,
        rows: [
          [8, [1, 2]],
          [9, [1]],
        ],
      },
      steps: [8, 9],
    });
  });

  test.each([
    ['the request does not require it', [arrived(1, 8)], { announces: true }],
    ['there is none but who did it', [arrived(1, ACTOR)], tellsPeople],
    ['only they and a bot came', [arrived(1, ACTOR), arrived(2, 9, {}, true)], tellsPeople],
    ['they are more than a hundred', Array.from({ length: 101 }, (_, n) => arrived(1, 100 + n)), tellsPeople],
  ])('Do not exist if %s', (_where, done, wishes) => {
    expect(followUps(ACTOR, done, wishes)).toEqual([]);
  });

  test('Announce new channels once each, and all together if requested', () => {
    const done = [
      ...[arrived(3, 8, { isNew: true }), arrived(3, 9, { isNew: true }), arrived(4, 8, { isOurs: true })],
      arrived(1, 8),
    ];
    const announced = (announces: boolean) => followUps(ACTOR, done, { announces, created: [5] });
    const job = { type: 'announce-channels', payload: { actorId: ACTOR, channelIds: [3, 4, 5] } };
    expect(announced(false)).toEqual([{ ...job, steps: [0, 1, 2] }]);
    expect(announced(true)).toEqual([{ ...job, steps: [0, 1, 2, 3] }]);
    expect(followUps(ACTOR, [], { announces: false, created: [5] })).toEqual([
      { type: 'announce-channels', payload: { actorId: ACTOR, channelIds: [5] }, steps: [0] },
    ]);
  });
});
