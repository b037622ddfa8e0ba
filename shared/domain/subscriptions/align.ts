import { type Change, mergeChanges } from '#shared/domain/change.ts';
import { channelAudience, ofArchived } from '#shared/domain/channels/audience.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { chunksOf } from '#shared/domain/chunks.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Write } from '#shared/table/table.ts';
import { countWrite, listJoinings, type Principal, subscribeChanges } from './subscribe.ts';
import { isSubscribed, subscribeAt, suspendAt } from './subscription.ts';
import type { Leaving } from './unsubscribe.ts';
import { memberWrites, subscriptionWrite } from './writes.ts';

/** Each suspension takes three writes; the entry, the check and the job need room in the transaction too. */
const SUSPENSIONS_PER_CHANGE = 28;

/** The channels whose subscription is active for a deactivated user, or suspended for an active one. */
export const listMisaligned = ({ user, subscriptions }: Principal): number[] =>
  [...subscriptions.values()]
    .filter((subscription) => (user.isActive ? subscription.isSuspended : isSubscribed(subscription)))
    .map(({ channelId }) => channelId);

/**
 * The changes that suspend the subscriptions of a deactivated user, or resume the subscriptions of an active user. Each
 * fails when the account has changed. The user does not receive messages sent in between.
 */
export const alignmentChanges = (principal: Principal, channels: Channel[]): Change[] =>
  (principal.user.isActive ? resumptions(principal, channels) : suspensions(principal, channels)).map(
    (change) => mergeChanges(change, { writes: [activityCheck(principal)] }),
  );

/** Subscribes a deactivated user as of their return; no event is sent before. */
export function suspendedArrival(principal: Principal, channels: Channel[]): Change {
  const targets = channels.map((channel) => ({ channel, isNew: false, isDefault: false, color: undefined }));
  const { userId } = principal.user;
  const joinings = listJoinings(userId, [principal], targets);
  return {
    writes: (position) => [
      ...joinings.map(({ target, color, previous }) => {
        const { channelId, defaultPushNotifications } = target.channel;
        const begun = subscribeAt(previous, { userId, channelId, defaultPushNotifications }, color, position);
        return subscriptionWrite(suspendAt(begun, position), previous);
      }),
    ],
  };
}

/** A check that the user is still active, or still deactivated. */
export const activityCheck = ({ user: { userId, isActive } }: Pick<Principal, 'user'>): Write => ({
  kind: 'check',
  key: userKeys.user(userId),
  condition: { equals: { isActive } },
});

function suspensions({ user, subscriptions }: Principal, channels: Channel[]): Change[] {
  const leavings = channels.flatMap((channel): Leaving[] => {
    const previous = subscriptions.get(channel.channelId);
    return previous ? [{ user, channel, previous }] : [];
  });
  return chunksOf(leavings, SUSPENSIONS_PER_CHANGE).map(suspension);
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
