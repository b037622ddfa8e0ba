import type { Change } from '#shared/domain/change.ts';
import { channelAudience } from '#shared/domain/channels/audience.ts';
import { type Channel, toChannelRecord } from '#shared/domain/channels/channel.ts';
import { mayAddOthers, mayJoin } from '#shared/domain/channels/permissions.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { isAdministrator, isGuest, type User } from '#shared/domain/users/user.ts';
import type { Audience, LogEvent } from '#shared/events/catalogue.ts';
import type { SubscriptionAdd } from '#shared/events/shape.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import { pickColor } from './colors.ts';
import { isSubscribed, type Subscription, subscribeAt } from './subscription.ts';
import { memberWrites, subscriptionWrite } from './writes.ts';

/** A user who is to be subscribed, with every subscription they have or had. */
export interface Principal {
  user: User;
  subscriptions: Map<number, Subscription>;
}

/** A channel that users are to be subscribed to. */
export interface Target {
  channel: Channel;
  isNew: boolean;
  isDefault: boolean;
  /** The colour that the caller chose for themselves. */
  color: string | undefined;
}

/** One user comes to one channel. */
export interface Joining {
  target: Target;
  user: User;
  color: string;
  previous: Subscription | undefined;
}

/**
 * Splits targets into those that the caller may subscribe the principals to and the others.
 * @throws BadRequest when others are to be subscribed and the caller may not, or when an unauthorized channel is fatal
 */
export function authorizeTargets(
  caller: Principal,
  principals: Principal[],
  targets: Target[],
  isFatal: boolean,
): { authorized: Target[]; unauthorized: Target[] } {
  const addsOthers = principals.some(({ user }) => user.userId !== caller.user.userId);
  const isAuthorized = (target: Target): boolean => {
    const view = {
      channel: target.channel,
      subscription: caller.subscriptions.get(target.channel.channelId),
    };
    if (target.isNew || isSubscribed(view.subscription)) return true;
    return addsOthers ? mayAddOthers(caller.user, view) : mayJoin(caller.user, view);
  };
  const unauthorized = targets.filter((target) => !isAuthorized(target));
  if (isFatal && unauthorized.length > 0) {
    const names = unauthorized.map(({ channel }) => channel.name).join(', ');
    throw new BadRequest(`Unable to access channel (${names}).`);
  }
  return { authorized: targets.filter(isAuthorized), unauthorized };
}

/** Who comes where; users who are subscribed already are left out. */
export function listJoinings(callerId: number, principals: Principal[], targets: Target[]): Joining[] {
  return principals.flatMap(({ user, subscriptions }) => {
    const used = new Set([...subscriptions.values()].map(({ color }) => color));
    return targets.flatMap((target) => {
      const previous = subscriptions.get(target.channel.channelId);
      if (isSubscribed(previous)) return [];
      const chosen = user.userId === callerId ? target.color : undefined;
      const color = chosen ?? previous?.color ?? pickColor(used, target.channel.channelId);
      used.add(color);
      return [{ target, user, color, previous }];
    });
  });
}

/** What one transaction holds. */
interface Batch {
  created: Target[];
  joinings: Joining[];
  writes: number;
  /** Channels whose count is part of the batch already. */
  touched: Set<number>;
}

/** A transaction holds a hundred writes; entry and jobs need room too. */
const WRITES_PER_CHANGE = 88;
const WRITES_PER_NEW_CHANNEL = 3;

/**
 * The changes that bring users into channels, each small enough for one transaction. A new channel comes with the
 * first of its subscribers.
 */
export function subscribeChanges(
  targets: Target[],
  joinings: Joining[],
  circumstances: { nowSeconds: number; defaultChannelIds: number[] },
): { change: Change; joinings: Joining[] }[] {
  const batches: Batch[] = [];
  let batch: Batch | undefined;
  const room = (needed: number) => {
    if (!batch || batch.writes + needed > WRITES_PER_CHANGE) {
      batch = { created: [], joinings: [], writes: 0, touched: new Set() };
      batches.push(batch);
    }
    batch.writes += needed;
    return batch;
  };
  for (const target of targets) {
    if (target.isNew) room(WRITES_PER_NEW_CHANNEL).created.push(target);
    for (const joining of joinings.filter((one) => one.target === target)) {
      // A subscription, and at worst a chunk of the subscriber list and the count of the channel.
      const isTouched = batch?.touched.has(target.channel.channelId) ?? false;
      const current = room(isTouched ? 2 : 3);
      current.joinings.push(joining);
      current.touched.add(target.channel.channelId);
    }
  }
  return batches.map((one) => ({
    joinings: one.joinings,
    change: {
      writes: (position) => batchWrites(one.created, one.joinings, position),
      events: [
        ...batchEvents(one.created, one.joinings, circumstances.nowSeconds),
        ...defaultChannelsEvents(one.created, circumstances.defaultChannelIds),
      ],
    },
  }));
}

function batchWrites(created: Target[], joinings: Joining[], position: number): Write[] {
  const byTarget = Map.groupBy(joinings, ({ target }) => target);
  const channels = created.flatMap((target) => channelWrites(target, byTarget.get(target)?.length ?? 0));
  const others = [...byTarget].flatMap(([target, group]): Write[] => [
    ...group.map(({ user, color, previous }) => {
      const owner = { userId: user.userId, channelId: target.channel.channelId };
      return subscriptionWrite(subscribeAt(previous, owner, color, position), previous);
    }),
    ...memberWrites(
      target.channel.channelId,
      group.map(({ user }) => user.userId),
      'add',
    ),
    ...(created.includes(target) ? [] : [countWrite(target.channel.channelId, group.length)]),
  ]);
  return [...channels, ...others];
}

function channelWrites({ channel, isDefault }: Target, joined: number): Write[] {
  const { channelId } = channel;
  const isNew = { exists: false };
  const writes: Write[] = [
    { kind: 'put', item: { ...keys.channel(channelId), ...withCount(channel, joined) }, condition: isNew },
    { kind: 'put', item: { ...keys.channelName(toCanonical(channel.name)), channelId }, condition: isNew },
  ];
  if (!isDefault) return writes;
  return [
    ...writes,
    { kind: 'update', key: keys.organization(), add: { defaultChannels: new Set([channelId]) } },
  ];
}

export const countWrite = (channelId: number, by: number): Write => ({
  kind: 'update',
  key: keys.channel(channelId),
  add: { subscriberCount: by },
  condition: { exists: true },
});

function batchEvents(created: Target[], joinings: Joining[], nowSeconds: number): LogEvent[] {
  const byTarget = Map.groupBy(joinings, ({ target }) => target);
  const creations = created.map((target) => {
    const channel = withCount(target.channel, byTarget.get(target)?.length ?? 0);
    return creationEvent(channel, channelAudience(channel), nowSeconds);
  });
  const revelations = [...byTarget].flatMap(([{ channel }, group]) => {
    const strangers = group.filter(({ user, target }) => !target.isNew && isStrangerTo(user, channel));
    const userIds = strangers.map(({ user }) => user.userId);
    return userIds.length > 0 ? [creationEvent(channel, { kind: 'users', userIds }, nowSeconds)] : [];
  });
  const peers = [...byTarget].map(([{ channel }, group]): LogEvent => {
    const userIds = group.map(({ user }) => user.userId);
    return {
      audience: { ...channelAudience(channel), exceptUserIds: userIds },
      payload: { type: 'subscription', op: 'peer_add', stream_ids: [channel.channelId], user_ids: userIds },
    };
  });
  return [...creations, ...revelations, ...additions(byTarget, joinings, nowSeconds), ...peers];
}

function defaultChannelsEvents(created: Target[], defaultChannelIds: number[]): LogEvent[] {
  const added = created.filter(({ isDefault }) => isDefault).map(({ channel }) => channel.channelId);
  if (added.length === 0) return [];
  const payload = { type: 'default_streams', default_streams: [...defaultChannelIds, ...added] };
  return [{ audience: { kind: 'members' }, payload }];
}

/** Whether the user could not know of the channel before being subscribed to it. */
const isStrangerTo = (user: User, channel: Channel): boolean =>
  !channel.isWebPublic && (isGuest(user) || (channel.isPrivate && !isAdministrator(user)));

const creationEvent = (channel: Channel, audience: Audience, nowSeconds: number): LogEvent => ({
  audience,
  payload: { type: 'stream', op: 'create', streams: [toChannelRecord(channel, nowSeconds)] },
});

function additions(byTarget: Map<Target, Joining[]>, joinings: Joining[], nowSeconds: number): LogEvent[] {
  if (joinings.length === 0) return [];
  const payload: SubscriptionAdd = {
    type: 'subscription',
    op: 'add',
    channels: [...byTarget].map(([{ channel }, group]) =>
      toChannelRecord(withCount(channel, group.length), nowSeconds),
    ),
    rows: joinings.map(({ user, target, color }) => [user.userId, target.channel.channelId, color]),
  };
  const userIds = [...new Set(joinings.map(({ user }) => user.userId))];
  return [{ audience: { kind: 'users', userIds }, payload }];
}

const withCount = (channel: Channel, joined: number): Channel => ({
  ...channel,
  subscriberCount: channel.subscriberCount + joined,
});
