import type { Change } from '#shared/domain/change.ts';
import { channelAudience, ofArchived } from '#shared/domain/channels/audience.ts';
import { mergeChanges } from '#shared/domain/merge-changes.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import type { Target } from './batches.ts';
import { countWrite, listJoinings, type Principal, subscribeChanges } from './subscribe.ts';
import { isSubscribed, type Subscription, suspendAt } from './subscription.ts';
import type { Leaving } from './unsubscribe.ts';
import { memberWrites, subscriptionWrite } from './writes.ts';

/** Channels of one user that one transaction can take care of. */
const CHANNELS_PER_STEP = 20;

/** The channels of a user, divided into parts that are each small enough for one transaction. */
export type SuspensionRow = [userId: number, channelIds: number[]];

const divide = (userId: number, channelIds: number[]): SuspensionRow[] =>
  Array.from({ length: Math.ceil(channelIds.length / CHANNELS_PER_STEP) }, (_, n) => [
    userId,
    channelIds.slice(n * CHANNELS_PER_STEP, (n + 1) * CHANNELS_PER_STEP),
  ]);

/** What ends for a time when the user is deactivated. */
export const rowsToSuspend = (userId: number, subscriptions: Subscription[]): SuspensionRow[] =>
  divide(
    userId,
    subscriptions.filter(isSubscribed).map(({ channelId }) => channelId),
  );

/** What comes back when the user does. */
export const rowsToResume = (userId: number, subscriptions: Subscription[]): SuspensionRow[] =>
  divide(
    userId,
    subscriptions.filter(({ isSuspended }) => isSuspended).map(({ channelId }) => channelId),
  );

/** Fails when the user is no longer what this rests on: then there is nothing to do. */
const activityCheck = (userId: number, isActive: boolean): Write => ({
  kind: 'check',
  key: keys.user(userId),
  condition: { equals: { isActive } },
});

/** A deactivated user is no subscriber any more, as far as others see. */
export function suspendChange(userId: number, leavings: Leaving[]): Change {
  return {
    writes: (position) => [
      ...leavings.flatMap(({ channel, previous }) => [
        subscriptionWrite(suspendAt(previous, position), previous),
        ...memberWrites(channel.channelId, [userId], 'take'),
        countWrite(channel, -1),
      ]),
      activityCheck(userId, false),
    ],
    events: leavings.map(({ channel }) => ({
      audience: channelAudience(channel),
      ...ofArchived(channel),
      payload: {
        type: 'subscription',
        op: 'peer_remove',
        stream_ids: [channel.channelId],
        user_ids: [userId],
      },
    })),
  };
}

/** A user who is back is a subscriber again; what was sent meanwhile is not theirs. */
export function resumeChange(principal: Principal, targets: Target[]): Change | undefined {
  const { userId } = principal.user;
  const joinings = listJoinings(userId, [principal], targets);
  const [resumed] = subscribeChanges(targets, joinings);
  return resumed && mergeChanges(resumed.change, { writes: [activityCheck(userId, true)] });
}
