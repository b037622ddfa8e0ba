import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { divideJoinings, type Target } from '#shared/domain/subscriptions/batches.ts';
import { pickColor } from '#shared/domain/subscriptions/colors.ts';
import { listJoinings, subscribeChanges } from '#shared/domain/subscriptions/subscribe.ts';
import {
  isSubscribed,
  type Subscription,
  subscribeAt,
  unsubscribeAt,
  wasSubscribedAt,
} from '#shared/domain/subscriptions/subscription.ts';
import { type Leaving, listLeavings } from '#shared/domain/subscriptions/unsubscribe.ts';
import { channelOf, userOf } from '#tests/harness/samples.ts';

const owner = { userId: 10, channelId: 1 };
const begin = (position: number, existing?: Subscription) =>
  subscribeAt(existing, owner, '#ffffff', position);

describe('A subscription', () => {
  test('Holds exactly the messages between its beginning and its end', () => {
    const ended = unsubscribeAt(begin(5), 9);
    const held = Array.from({ length: 12 }, (_, position) => position).filter((position) =>
      wasSubscribedAt(ended, position),
    );
    expect(held).toEqual([6, 7, 8]);
    expect(wasSubscribedAt(begin(5), 1_000_000)).toBe(true);
  });

  test('Holds nothing of the time between two periods', () => {
    const again = begin(20, unsubscribeAt(begin(5), 9));
    expect([7, 9, 15, 20, 21].filter((position) => wasSubscribedAt(again, position))).toEqual([7, 21]);
    expect(isSubscribed(again)).toBe(true);
  });

  test('Keeps its settings while the user is away', () => {
    const mine = { ...begin(5), isMuted: true, isPinned: true, readThrough: 8 };
    const again = begin(20, unsubscribeAt(mine, 9));
    expect(again).toMatchObject({ isMuted: true, isPinned: true, readThrough: 8 });
  });

  test('Holds nothing if it never existed', () => {
    expect(isSubscribed(undefined)).toBe(false);
    expect(wasSubscribedAt(undefined, 5)).toBe(false);
  });

  test('Follows any history of joining and leaving', () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 12 });
    void fc.assert(
      fc.property(gaps, (steps) => {
        let position = 0;
        let subscription: Subscription | undefined;
        const expected = new Set<number>();
        for (const [index, step] of steps.entries()) {
          if (index % 2 === 1) for (let at = position + 1; at < position + step; at++) expected.add(at);
          position += step;
          subscription =
            index % 2 === 0
              ? begin(position, subscription)
              : subscription && unsubscribeAt(subscription, position);
        }
        if (isSubscribed(subscription)) expected.add(position + 1);
        const held = Array.from({ length: position + 2 }, (_, at) => at).filter((at) =>
          wasSubscribedAt(subscription, at),
        );
        expect(held).toEqual([...expected]);
      }),
    );
  });
});

describe('The colour of a channel', () => {
  test('Equals the first unused one of 24, then one that the channel determines', () => {
    const used = new Set<string>();
    for (let channelId = 1; channelId <= 24; channelId++) used.add(pickColor(used, channelId));
    expect(used.size).toBe(24);
    expect(pickColor(used, 25)).toBe([...used][1]);
  });
});

const targetOf = (channelId: number, isNew: boolean, description = ''): Target => ({
  channel: channelOf(channelId, { description, descriptionHtml: description, subscriberCount: 3 }),
  isNew,
  isDefault: isNew,
  color: undefined,
});

const principalsOf = (userIds: number[]) =>
  userIds.map((userId) => ({
    user: userOf(userId),
    subscriptions: new Map(),
  }));

test('A repeated call that unsubscribes does not name a channel as "not left" that it has left itself', () => {
  const principals = principalsOf([1, 2]);
  const channels = [targetOf(1, false).channel, targetOf(2, false).channel];
  const all = principals.flatMap(({ user }) =>
    channels.map((channel) => ({ user, channel, previous: begin(5) })),
  );
  const notLeft = (done: Leaving[]) => listLeavings(principals, channels, done).notRemoved;
  expect(notLeft(all)).toEqual([]);
  expect(notLeft(all.slice(0, 3))).toEqual(['channel 2']);
  expect(notLeft(all.slice(0, 1))).toEqual(['channel 2', 'channel 1']);
  expect(notLeft(all.slice(1))).toEqual(['channel 1']);
});

describe('Many users who join many channels', () => {
  const arbitrary = fc.record({
    channels: fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }),
    userIds: fc.uniqueArray(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 60 }),
  });

  test('Join once each, in changes that each fit into one transaction', () => {
    void fc.assert(
      fc.property(arbitrary, ({ channels, userIds }) => {
        const targets = channels.map((isNew, n) => targetOf(n + 1, isNew));
        const joinings = listJoinings(0, principalsOf(userIds), targets);
        const changes = subscribeChanges(targets, joinings);
        const pairs = changes.flatMap(({ joinings: those }) =>
          those.map(({ user, target }) => `${user.userId} ${target.channel.channelId}`),
        );
        expect(new Set(pairs).size).toBe(channels.length * userIds.length);
        expect(pairs.length).toBe(channels.length * userIds.length);
        for (const { change } of changes) {
          const writes = typeof change.writes === 'function' ? change.writes(1) : [];
          const keys = writes.map((write) => {
            const { pk, sk } = write.kind === 'put' ? write.item : write.key;
            return `${pk} ${sk}`;
          });
          expect(keys.length).toBeLessThanOrEqual(88);
          expect(new Set(keys).size).toBe(keys.length);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('Count up from batch to batch, and a new channel starts with the first of them', () => {
    const targets = [
      targetOf(1, false),
      { ...targetOf(2, true), channel: { ...targetOf(2, true).channel, subscriberCount: 0 } },
    ];
    const userIds = Array.from({ length: 100 }, (_, n) => n + 1);
    const batches = divideJoinings(targets, listJoinings(0, principalsOf(userIds), targets));
    expect(batches.length).toBeGreaterThan(2);
    for (const [channelId, start] of [
      [1, 3],
      [2, 0],
    ]) {
      const arrivals = batches.flat().filter(({ channel }) => channel.channelId === channelId);
      let count = start ?? 0;
      for (const [index, { channel, joinings, isCreated }] of arrivals.entries()) {
        expect(channel.subscriberCount).toBe(count);
        expect(joinings.length).toBeGreaterThan(0);
        expect(isCreated).toBe(channelId === 2 && index === 0);
        count += joinings.length;
      }
      expect(count).toBe((start ?? 0) + 100);
    }
  });

  test('Make each new default channel one on condition that the list equals that of the change before', () => {
    const targets = [1, 2, 3].map((id) => ({ ...targetOf(id, true), isDefault: id !== 2 }));
    const userIds = Array.from({ length: 83 }, (_, n) => n + 1);
    const surroundings = {
      defaults: { channelIds: [9], revision: 4 },
      visibilityRevision: { people: 0, channels: 0 },
    };
    const joinings = listJoinings(0, principalsOf(userIds), targets);
    const lists = subscribeChanges(targets, joinings, surroundings).map(({ change: { writes } }) => {
      const all = typeof writes === 'function' ? writes(1) : (writes ?? []);
      return all.flatMap((write) =>
        write.kind === 'update' && write.set?.defaultChannels
          ? [[[...(write.set.defaultChannels as Set<number>)], write.condition?.belowOrAbsent]]
          : [],
      );
    });
    expect(lists.length).toBeGreaterThan(3);
    expect(lists.flat()).toEqual([
      [[9, 1], { defaultChannelsRevision: 5 }],
      [[9, 1, 3], { defaultChannelsRevision: 6 }],
    ]);
  });

  test('Never fill an entry of the log beyond the size of an item', () => {
    const targets = Array.from({ length: 80 }, (_, n) => targetOf(n + 1, true, '😀'.repeat(1024)));
    const joinings = listJoinings(0, principalsOf([1]), targets);
    for (const { change } of subscribeChanges(targets, joinings))
      expect(Buffer.byteLength(JSON.stringify(change.events))).toBeLessThan(300_000);
  });
});
