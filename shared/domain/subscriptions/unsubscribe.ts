import type { Change } from '#shared/domain/change.ts';
import { channelAudience, ofArchived, reachOf } from '#shared/domain/channels/audience.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { mayRemove } from '#shared/domain/channels/permissions.ts';
import { chunksOf } from '#shared/domain/chunks.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Audience, EventPayload, LogEvent } from '#shared/events/catalogue.ts';
import type { Write } from '#shared/table/table.ts';
import { countWrite, type Principal } from './subscribe.ts';
import { isSubscribed, type Subscription, unsubscribeAt } from './subscription.ts';
import { memberWrites, subscriptionWrite } from './writes.ts';

/** The unsubscription of one user from one channel. */
export interface Leaving {
  user: User;
  channel: Channel;
  previous: Subscription;
}

/** @throws BadRequest when the caller may not remove one of the other users from one of the channels */
export function requireMayRemove(caller: Principal, targets: User[], channels: Channel[]): void {
  const others = targets.filter(({ userId }) => userId !== caller.user.userId);
  const isForbidden = channels.some((channel) => {
    const view = { channel, subscription: caller.subscriptions.get(channel.channelId) };
    return others.some((target) => !mayRemove(caller.user, target, view));
  });
  if (isForbidden) throw new BadRequest('Insufficient permission');
}

/**
 * Splits users and channels into unsubscriptions to do, and names of channels that were left before this
 * call; `done` are the unsubscriptions that the call has committed already.
 */
export function listLeavings(
  principals: Principal[],
  channels: Channel[],
  done: Leaving[],
): { leavings: Leaving[]; notRemoved: string[] } {
  const leavings: Leaving[] = [];
  const notRemoved = new Set<string>();
  for (const { user, subscriptions } of principals)
    for (const channel of channels) {
      const previous = subscriptions.get(channel.channelId);
      if (previous && isSubscribed(previous)) leavings.push({ user, channel, previous });
      else if (!done.some((removal) => isOf(removal, user, channel))) notRemoved.add(channel.name);
    }
  return { leavings, notRemoved: [...notRemoved] };
}

const isOf = (leaving: Leaving, { userId }: User, { channelId }: Channel): boolean =>
  leaving.user.userId === userId && leaving.channel.channelId === channelId;

/** Each unsubscription needs its own write and at worst one for the subscriber list and one for the count. */
const LEAVINGS_PER_CHANGE = 28;

/** The changes that unsubscribe users, each small enough for one transaction. */
export function unsubscribeChanges(leavings: Leaving[]): { change: Change; leavings: Leaving[] }[] {
  const batches = chunksOf(leavings, LEAVINGS_PER_CHANGE);
  return batches.map((batch, index) => ({
    leavings: batch,
    change: {
      writes: (position) => batchWrites(batch, batches.slice(0, index), position),
      events: batchEvents(batch),
      jobs: [
        {
          type: 'mark-unsubscribed-read',
          payload: { rows: batch.map(({ user, channel }) => [user.userId, channel.channelId]) },
          steps: [...batch.keys()],
        },
      ],
    },
  }));
}

function batchWrites(batch: Leaving[], earlier: Leaving[][], position: number): Write[] {
  const byChannel = Map.groupBy(batch, ({ channel }) => channel.channelId);
  return [...byChannel].flatMap(([channelId, group]): Write[] => [
    ...group.map(({ previous }) => subscriptionWrite(unsubscribeAt(previous, position), previous)),
    ...memberWrites(
      channelId,
      group.map(({ user }) => user.userId),
      'take',
    ),
    ...group.slice(0, 1).map(({ channel }) => countWrite(after(earlier, channel), -group.length)),
  ]);
}

/** The channel after earlier batches of the same call. */
function after(batches: Leaving[][], channel: Channel): Channel {
  const { channelId, memberRevision = 0 } = channel;
  const moves = batches.filter((batch) => batch.some((leaving) => leaving.channel.channelId === channelId));
  return { ...channel, memberRevision: memberRevision + moves.length };
}

function batchEvents(batch: Leaving[]): LogEvent[] {
  const keyOf = ({ user, channel }: Leaving): string => `${user.userId} ${channel.isArchived}`;
  const byUser = [...Map.groupBy(batch, keyOf).values()];
  const byChannel = [...Map.groupBy(batch, ({ channel }) => channel.channelId).values()];
  return [...byUser.flatMap(removals), ...byChannel.flatMap(losses), ...byChannel.flatMap(peerRemovals)];
}

function removals(group: Leaving[]): LogEvent[] {
  const [first] = group;
  if (!first) return [];
  const subscriptions = group.map(({ channel }) => ({ stream_id: channel.channelId, name: channel.name }));
  return [
    {
      audience: { kind: 'users', userIds: [first.user.userId] },
      ...ofArchived(first.channel),
      payload: { type: 'subscription', op: 'remove', subscriptions },
    },
  ];
}

/** The channel disappears for users who may not know of it by their remaining role and groups. */
function losses(group: Leaving[]): LogEvent[] {
  const userIds = group.map(({ user }) => user.userId);
  const channel = group[0]?.channel;
  if (!channel || channel.isWebPublic) return [];
  const { channelId } = channel;
  const payload: EventPayload = {
    type: 'stream',
    op: 'delete',
    streams: [{ stream_id: channelId }],
    stream_ids: [channelId],
  };
  const audience: Audience = { kind: 'users', userIds, unless: reachOf(channel) };
  return [{ audience, ...ofArchived(channel), payload }];
}

function peerRemovals(group: Leaving[]): LogEvent[] {
  const channel = group[0]?.channel;
  if (!channel) return [];
  const userIds = group.map(({ user }) => user.userId);
  const removal = (audience: Audience, ids: number[]): LogEvent => ({
    audience,
    ...ofArchived(channel),
    payload: { type: 'subscription', op: 'peer_remove', stream_ids: [channel.channelId], user_ids: ids },
  });
  const together = group.length > 1 ? group : [];
  const onlyIf = reachOf(channel);
  return [
    removal({ ...channelAudience(channel), exceptUserIds: userIds }, userIds),
    // Users who leave together and still see the channel get events about each other, not about themselves.
    ...together.map(({ user: { userId } }) =>
      removal(
        { kind: 'users', userIds: [userId], onlyIf },
        userIds.filter((id) => id !== userId),
      ),
    ),
  ];
}
