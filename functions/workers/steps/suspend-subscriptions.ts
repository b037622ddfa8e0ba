import type { Change } from '#shared/domain/change.ts';
import { isSubscribed } from '#shared/domain/subscriptions/subscription.ts';
import { type SuspensionRow, suspendChange } from '#shared/domain/subscriptions/suspend.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsById } from '#shared/store/channels.ts';
import { listSubscriptionPairs } from '#shared/store/subscriptions.ts';
import { getUser } from '#shared/store/users.ts';

/** Takes a deactivated user out of some channels, unless they are back already. */
export async function suspendSubscriptions(
  { table }: Services,
  { rows }: { rows: SuspensionRow[] },
  step: number,
): Promise<Change | undefined> {
  const [userId, channelIds] = rows[step] as SuspensionRow;
  const [user, channels, subscriptions] = await Promise.all([
    getUser(table, userId),
    listChannelsById(table, channelIds),
    listSubscriptionPairs(
      table,
      channelIds.map((channelId) => ({ userId, channelId })),
    ),
  ]);
  const leavings = channels.flatMap((channel) => {
    const previous = subscriptions.find(({ channelId }) => channelId === channel.channelId);
    return previous && isSubscribed(previous) ? [{ user, channel, previous }] : [];
  });
  return user.isActive || leavings.length === 0 ? undefined : suspendChange(userId, leavings);
}
