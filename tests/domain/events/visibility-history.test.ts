import { describe, expect, test } from 'vitest';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import type { ShapedEntry } from '#shared/events/shape.ts';
import {
  acquaintedAt,
  beforeRole,
  changesVisibility,
  conversationsIn,
  subscribersBefore,
  type VisibilityHistory,
} from '#shared/events/visibility-history.ts';
import { type AnyPayload, logEvent } from '#tests/harness/any-event.ts';

const [GUEST, ADA, BO, CY] = [10, 11, 12, 13];
const CHANNEL = 1;

const entry = (position: number, ...payloads: AnyPayload[]): ShapedEntry => ({
  position,
  events: payloads.map((payload) => logEvent(payload)),
});
const comes = (userId: number, channelId = CHANNEL): AnyPayload => ({
  type: 'subscription',
  op: 'add',
  channels: [],
  rows: [[userId, channelId, '#000000']],
});
const leaves = (userId: number, channelId = CHANNEL): AnyPayload => ({
  type: 'subscription',
  op: 'peer_remove',
  stream_ids: [channelId],
  user_ids: [userId],
});
const direct = (position: number, ...userIds: number[]): ShapedEntry =>
  ({
    ...entry(position),
    message: { kind: 'direct', recipients: userIds.map((id) => ({ id })) },
  }) as ShapedEntry;

const history = (given: Partial<VisibilityHistory>): VisibilityHistory => ({
  userId: GUEST,
  subscriptions: [],
  members: new Map(),
  conversations: [],
  changes: [],
  ...given,
});
const subscribed = (...intervals: [number, number | null][]): Subscription =>
  ({ userId: GUEST, channelId: CHANNEL, intervals }) as Subscription;
const acquaintances = (given: Partial<VisibilityHistory>, position: number): number[] =>
  [...acquaintedAt(history(given), position)].sort((a, b) => a - b);

describe('The users that a guest knows after a position', () => {
  test('Include the subscribers of a channel from the entry in which the guest joins, until the one in which they leave', () => {
    const given = {
      subscriptions: [subscribed([20, 30], [40, null])],
      members: new Map([[CHANNEL, new Set([GUEST, ADA])]]),
    };
    const knows = [19, 20, 29, 30, 39, 40, 50].map((position) =>
      acquaintances(given, position).includes(ADA),
    );
    expect(knows).toEqual([false, true, true, false, false, true, true]);
  });

  test('Include subscribers as of that time, neither later ones nor earlier ones who have left', () => {
    const given = {
      subscriptions: [subscribed([1, null])],
      members: new Map([[CHANNEL, new Set([GUEST, ADA])]]),
      changes: [entry(20, comes(ADA)), entry(30, comes(BO)), entry(40, leaves(BO)), entry(41, comes(CY, 2))],
    };
    expect(acquaintances(given, 19)).toEqual([GUEST]);
    expect(acquaintances(given, 20)).toEqual([GUEST, ADA]);
    expect(acquaintances(given, 30)).toEqual([GUEST, ADA, BO]);
    expect(acquaintances(given, 39)).toEqual([GUEST, ADA, BO]);
    expect(acquaintances(given, 40)).toEqual([GUEST, ADA]);
  });

  test('Include the participants of a conversation from its first message on, and always the guest', () => {
    const given = { conversations: [{ userIds: [GUEST, BO], beganAt: 25 }] };
    expect(acquaintances(given, 24)).toEqual([GUEST]);
    expect(acquaintances(given, 25)).toEqual([GUEST, BO]);
  });
});

test('The subscribers of an earlier time are found by undoing changes, the newest first', () => {
  const changes = [entry(20, leaves(ADA)), entry(21, comes(ADA)), entry(22, leaves(BO, 2))];
  expect([...subscribersBefore([ADA], CHANNEL, changes)]).toEqual([ADA]);
  expect([...subscribersBefore([ADA], CHANNEL, changes.slice(1))]).toEqual([]);
  expect([...subscribersBefore([], CHANNEL, [entry(20, comes(ADA)), entry(21, leaves(ADA))])]).toEqual([]);
});

test('The visible users change by joining and leaving, the organization’s setting, the own role and conversations', () => {
  const role = (user_id: number): AnyPayload => ({
    type: 'realm_user',
    op: 'update',
    person: { user_id, role: 600 },
    previousRole: 400,
  });
  const setting = (data: Record<string, unknown>): AnyPayload => ({
    type: 'realm',
    op: 'update_dict',
    property: 'default',
    data,
  });
  const changing = [
    entry(1, comes(ADA)),
    entry(1, leaves(ADA)),
    entry(1, setting({ can_access_all_users_group: 1 })),
    entry(1, role(GUEST)),
    direct(1, ADA, GUEST),
  ];
  const others = [
    entry(1),
    entry(1, { type: 'subscription', op: 'peer_add', stream_ids: [CHANNEL], user_ids: [ADA] }),
    entry(1, setting({ name: 'other' })),
    entry(1, role(ADA)),
    direct(1, ADA, BO),
  ];
  expect(changing.map((one) => changesVisibility(one, GUEST))).toEqual(changing.map(() => true));
  expect(others.map((one) => changesVisibility(one, GUEST))).toEqual(others.map(() => false));
  const user = { userId: GUEST, role: 600 } as never;
  expect(beforeRole(user, entry(1, role(GUEST)))).toMatchObject({ role: 400 });
  expect(beforeRole(user, entry(1, role(ADA)))).toBe(user);
  expect([...conversationsIn([direct(1, ADA, GUEST), direct(2, ADA, BO), entry(3)], GUEST)]).toEqual([
    `${GUEST},${ADA}`,
  ]);
});
