import type { Change } from '#shared/domain/change.ts';
import { channelAudience, ofArchived } from '#shared/domain/channels/audience.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { mergeChanges } from '#shared/domain/merge-changes.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import { countWrite, listJoinings, type Principal, subscribeChanges } from './subscribe.ts';
import { isSubscribed, subscribeAt, suspendAt } from './subscription.ts';
import type { Leaving } from './unsubscribe.ts';
import { memberWrites, subscriptionWrite } from './writes.ts';

/** Each suspension takes three writes; the entry, the check and the job need room in the transaction as well. */
const SUSPENSIONS_PER_CHANGE = 28;

/** The channels in which a user has to come back, or may not stay, because the account is active or not. */
export const listMisaligned = ({ user, subscriptions }: Principal): number[] =>
  [...subscriptions.values()]
    .filter((one) => (user.isActive ? one.isSuspended : isSubscribed(one)))
    .map(({ channelId }) => channelId);

/**
 * The changes that end the subscriptions of a deactivated user until they come back, or begin those of an active user
 * again. Each fails when the account is no longer what it rests on. Messages that were sent meanwhile are not theirs.
 */
export const alignmentChanges = (principal: Principal, channels: Channel[]): Change[] =>
  (principal.user.isActive ? resumptions(principal, channels) : suspensions(principal, channels)).map(
    (change) => mergeChanges(change, { writes: [activityCheck(principal)] }),
  );

/** What brings a user who is deactivated into channels once they are back; nothing is told of it before. */
export function suspendedArrival(principal: Principal, channels: Channel[]): Change {
  const targets = channels.map((channel) => ({ channel, isNew: false, isDefault: false, color: undefined }));
  const { userId } = principal.user;
  const joinings = listJoinings(userId, [principal], targets);
  return {
    writes: (position) => [
      ...joinings.map(({ target: { channel }, color, previous }) => {
        const begun = subscribeAt(previous, { userId, channelId: channel.channelId }, color, position);
        return subscriptionWrite(suspendAt(begun, position), previous);
      }),
    ],
  };
}

/** Fails when the user is not what was decided on any more: active, or deactivated. */
export const activityCheck = ({ user: { userId, isActive } }: Pick<Principal, 'user'>): Write => ({
  kind: 'check',
  key: keys.user(userId),
  condition: { equals: { isActive } },
});

function suspensions({ user, subscriptions }: Principal, channels: Channel[]): Change[] {
  const leavings = channels.flatMap((channel): Leaving[] => {
    const previous = subscriptions.get(channel.channelId);
    return previous ? [{ user, channel, previous }] : [];
  });
  return Array.from({ length: Math.ceil(leavings.length / SUSPENSIONS_PER_CHANGE) }, (_, n) =>
    suspension(leavings.slice(n * SUSPENSIONS_PER_CHANGE, (n + 1) * SUSPENSIONS_PER_CHANGE)),
  );
}

const suspension = (leavings: Leaving[]): Change => ({
  writes: (position) =>
    leavings.flatMap(({ user, channel, previous }) => [
      subscriptionWrite(suspendAt(previous, position), previous),
      ...memberWrites(channel.channelId, [user.userId], 'take'),
      countWrite(channel, -1),
    ]),
  events: leavings.map(({ user, channel }) => ({
    audience: channelAudience(channel),
    ...ofArchived(channel),
    payload: {
      type: 'subscription',
      op: 'peer_remove',
      stream_ids: [channel.channelId],
      user_ids: [user.userId],
    },
  })),
});

function resumptions(principal: Principal, channels: Channel[]): Change[] {
  const targets = channels.map((channel) => ({ channel, isNew: false, isDefault: false, color: undefined }));
  const joinings = listJoinings(principal.user.userId, [principal], targets);
  return subscribeChanges(targets, joinings).map(({ change }) => change);
}
