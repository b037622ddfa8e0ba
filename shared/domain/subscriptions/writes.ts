import { channelKeys } from '#shared/table/keys/channels.ts';
import { memberChunkOf } from '#shared/table/keys/key.ts';
import type { Write } from '#shared/table/table.ts';
import type { Subscription } from './subscription.ts';

/** Stores a user's subscription on condition that it has not changed since it was loaded. */
export function subscriptionWrite(next: Subscription, previous: Subscription | undefined): Write {
  const key = channelKeys.subscription(next.userId, next.channelId);
  if (!previous) return { kind: 'put', item: { ...key, ...next }, condition: { exists: false } };
  const { intervals, color, isSuspended } = next;
  return {
    kind: 'update',
    key,
    set: { intervals, color, ...(isSuspended && { isSuspended }) },
    ...(!isSuspended && { remove: ['isSuspended'] }),
    condition: { equals: { intervals: previous.intervals } },
  };
}

/** Adds users to a channel's list of subscribers, or removes them. */
export function memberWrites(channelId: number, userIds: number[], verb: 'add' | 'take'): Write[] {
  const chunks = Map.groupBy(userIds, memberChunkOf);
  return [...chunks].map(([chunk, ids]) => ({
    kind: 'update',
    key: channelKeys.subscribers(channelId, chunk),
    [verb]: { userIds: new Set(ids) },
  }));
}
