import { describe, expect, test } from 'vitest';
import type { ChannelRecord } from '#shared/domain/channels/channel.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import { shapeChannel } from '#shared/events/shapers/channels.ts';
import { tellDeferred } from '#shared/events/shapers/deferred.ts';
import { shapeMessageUpdate } from '#shared/events/shapers/message-updates.ts';
import type { Shaping } from '#shared/events/shaping.ts';
import type { Reach } from '#shared/events/stored-fields.ts';
import type { AnyPayload } from '#tests/harness/any-event.ts';

const [VIEWER, CHANNEL, OTHER] = [15, 1, 2];

const subscribed = (channelId: number, ...intervals: [number, number | null][]): [number, Subscription] => [
  channelId,
  { userId: VIEWER, channelId, intervals } as Subscription,
];
const shapingAt = (position: number, ...subscriptions: [number, Subscription][]): Shaping =>
  ({
    position,
    filter: { capabilities: ['bulk_message_deletion', 'empty_topic_name'] },
    viewer: { user: { userId: VIEWER, role: 400 }, subscriptions: new Map(subscriptions) },
    settings: null,
  }) as unknown as Shaping;

describe('A channel that is unarchived, for a client that does not support archived channels', () => {
  const record = { stream_id: CHANNEL, name: 'general', subscriber_count: 2 } as ChannelRecord;
  const payload = {
    type: 'stream' as const,
    op: 'update' as const,
    stream_id: CHANNEL,
    name: 'general',
    property: 'is_archived',
    value: false,
    record,
    subscriberIds: [12, 18],
  };
  const opsAt = (position: number, ...intervals: [number, number | null][]) =>
    shapeChannel(payload, shapingAt(position, subscribed(CHANNEL, ...intervals))).map(
      ({ type, op }) => `${type}/${op}`,
    );

  test('Appears as new, with its subscribers, to users who were never in it', () => {
    expect(shapeChannel(payload, shapingAt(50))).toEqual([
      { type: 'stream', op: 'create', streams: [{ ...record, subscriber_count: 0 }] },
      { type: 'subscription', op: 'peer_add', stream_ids: [CHANNEL], user_ids: [12, 18] },
    ]);
    expect(opsAt(50, [50, null])).toEqual(['stream/create', 'subscription/peer_add']);
    expect(opsAt(50, [60, null])).toEqual(['stream/create', 'subscription/peer_add']);
  });

  test('Appears as subscribed to its subscribers, and as left to former ones', () => {
    expect(opsAt(50, [49, null])).toEqual(['stream/create', 'subscription/add']);
    const left: AnyPayload[] = shapeChannel(payload, shapingAt(50, subscribed(CHANNEL, [5, 8])));
    expect(left.map(({ op }) => op)).toEqual(['create', 'add', 'remove']);
    expect(left[1]?.subscriptions).toMatchObject([{ subscriber_count: 3, subscribers: [12, VIEWER, 18] }]);
    expect(left[2]?.subscriptions).toEqual([{ stream_id: CHANNEL, name: 'general' }]);
  });
});

describe('A channel that a snapshot left out', () => {
  const record = { stream_id: CHANNEL, name: 'general', subscriber_count: 2 };
  const deliver = (fields: Record<string, unknown>): AnyPayload[] =>
    tellDeferred('channels', { streams: [{ stream_id: OTHER }, record], ...fields }, CHANNEL, VIEWER);

  test('Becomes subscribed and left again for a user who left, and lists its subscribers meanwhile', () => {
    const events = deliver({ unsubscribed: [{ ...record, subscribers: [12, 18] }] });
    expect(events.map(({ op }) => op)).toEqual(['create', 'add', 'remove']);
    expect(events[1]?.subscriptions).toEqual([
      { ...record, subscriber_count: 3, subscribers: [12, VIEWER, 18] },
    ]);
    const [, withoutList] = deliver({ unsubscribed: [record] });
    expect(withoutList?.subscriptions).toEqual([{ ...record, subscriber_count: 3 }]);
  });

  test('Counts its subscribers by their events for a user who was never in it', () => {
    const create = (count: number) => ({
      type: 'stream',
      op: 'create',
      streams: [{ ...record, subscriber_count: count }],
    });
    const peers = (...user_ids: number[]) => ({
      type: 'subscription',
      op: 'peer_add',
      stream_ids: [CHANNEL],
      user_ids,
    });
    expect(deliver({ never_subscribed: [{ ...record, subscribers: [12, 18] }] })).toEqual([
      create(0),
      peers(12, 18),
    ]);
    expect(deliver({ never_subscribed: [{ ...record, partial_subscribers: [12] }] })).toEqual([
      create(1),
      peers(12),
    ]);
    expect(deliver({ never_subscribed: [record] })).toEqual([create(2)]);
    expect(deliver({})).toEqual([create(2)]);
  });

  test('Does not appear if it is deleted', () => {
    expect(tellDeferred('channels', { streams: [{ stream_id: OTHER }] }, CHANNEL, VIEWER)).toEqual([]);
  });
});

describe('Messages that move', () => {
  const place = (channelId: number, given: object = {}) => ({
    channelId,
    isPrivate: false,
    isWebPublic: false,
    isHistoryPublic: true,
    ...given,
  });
  const move = (messageIds: number[], reach: Reach) => ({
    type: 'update_message' as const,
    user_id: VIEWER,
    rendering_only: false,
    edit_timestamp: 1,
    message_id: messageIds[0] ?? 0,
    message_ids: messageIds,
    orig_subject: 'from',
    subject: 'to',
    reach,
  });
  const summary = (events: AnyPayload[]) =>
    events.map(({ type, message_id, message_ids, messages }) => [type, message_id, message_ids ?? messages]);

  test('Change in order for a reader who left the new channel, and become read if they were received', () => {
    const reach = { from: place(CHANNEL), to: place(OTHER) };
    const shaping = shapingAt(50, subscribed(CHANNEL, [5, null]));
    expect(summary(shapeMessageUpdate(move([20, 10], reach), shaping))).toEqual([
      ['update_message', 20, [10, 20]],
      ['update_message_flags', undefined, [20, 10]],
    ]);
  });

  test('Change within a channel for its recipients, without any unread data', () => {
    const shaping = shapingAt(50, subscribed(CHANNEL, [5, null]));
    expect(summary(shapeMessageUpdate(move([10, 20], { from: place(CHANNEL) }), shaping))).toEqual([
      ['update_message', 10, [10, 20]],
    ]);
  });

  test('Become deleted for a reader who may not see the new channel', () => {
    const reach = { from: place(CHANNEL), to: place(OTHER, { isPrivate: true }) };
    const shaping = shapingAt(50, subscribed(CHANNEL, [5, null]));
    expect(summary(shapeMessageUpdate(move([10, 20], reach), shaping))).toEqual([
      ['delete_message', undefined, [10, 20]],
    ]);
  });

  test('Reach recipients who have left, and subscribers of only the old or only the new channel', () => {
    const reach = { from: place(CHANNEL), to: place(OTHER) };
    const seenBy = (...subscriptions: [number, Subscription][]) =>
      summary(shapeMessageUpdate(move([10], reach), shapingAt(50, ...subscriptions)))[0];
    const changed = ['update_message', 10, [10]];
    expect(seenBy(subscribed(CHANNEL, [5, 30]))).toEqual(changed);
    expect(seenBy(subscribed(CHANNEL, [40, null]))).toEqual(changed);
    expect(seenBy(subscribed(OTHER, [40, null]))).toEqual(changed);
    expect(seenBy()).toBeUndefined();
    expect(seenBy(subscribed(CHANNEL, [20, 30]))).toBeUndefined();
  });
});
