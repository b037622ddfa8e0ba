import type { Channel } from '#shared/domain/channels/channel.ts';
import { recordBytes } from '#shared/domain/channels/new-channel-limits.ts';
import type { User } from '#shared/domain/users/user.ts';
import { memberChunkOf } from '#shared/table/keys/key.ts';
import type { Subscription } from './subscription.ts';

/** A channel to subscribe users to. */
export interface Target {
  channel: Channel;
  isNew: boolean;
  /** An earlier transaction of the same call created it. */
  isOurs?: boolean;
  isDefault: boolean;
  /** The colour that the caller chose for their own subscription. */
  color: string | undefined;
}

/** The subscription of one user to one channel. */
export interface Joining {
  target: Target;
  user: User;
  color: string;
  previous: Subscription | undefined;
}

/** Users subscribed to one channel in one transaction. */
export interface Arrival {
  target: Target;
  /** The channel before the change. */
  channel: Channel;
  /** The same transaction creates the channel. */
  isCreated: boolean;
  joinings: Joining[];
}

/** The content of one transaction. */
interface Batch {
  arrivals: Map<Target, Joining[]>;
  /** The items that it writes. */
  items: Set<string>;
  /** The approximate size of its events. */
  bytes: number;
}

/** DynamoDB allows 100 writes per transaction; entry and jobs need room too. */
const WRITES_PER_CHANGE = 88;
/** The log entry is one item of at most 400 KB. */
const BYTES_PER_CHANGE = 200_000;

/**
 * Splits subscriptions into batches that fit into one transaction each. A new channel is created with its
 * first subscribers.
 */
export function divideJoinings(targets: Target[], joinings: Joining[]): Arrival[][] {
  const batches: Batch[] = [];
  const byTarget = Map.groupBy(joinings, ({ target }) => target);
  for (const target of targets) {
    // The record is in two events at most: one reveals the channel, one adds the subscription.
    const bytes = 2 * recordBytes(target.channel);
    for (const [n, joining] of (byTarget.get(target) ?? []).entries())
      place(batches, joining, itemsOf(joining, target.isNew && n === 0), bytes);
  }
  const reached = new Map<Target, Channel>();
  return batches.map(({ arrivals }) =>
    [...arrivals].map(([target, joinings]) => {
      const earlier = reached.get(target);
      const channel = earlier ?? target.channel;
      const { subscriberCount, memberRevision = 0 } = channel;
      reached.set(target, {
        ...channel,
        subscriberCount: subscriberCount + joinings.length,
        memberRevision: memberRevision + 1,
      });
      return { target, channel, isCreated: target.isNew && !earlier, joinings };
    }),
  );
}

function place(batches: Batch[], joining: Joining, items: string[], bytes: number): void {
  const last = batches.at(-1);
  const added = items.filter((item) => !last?.items.has(item)).length;
  const fits = last && last.items.size + added <= WRITES_PER_CHANGE;
  const isSmall = last && (last.arrivals.has(joining.target) || last.bytes + bytes <= BYTES_PER_CHANGE);
  const batch = fits && isSmall ? last : { arrivals: new Map(), items: new Set<string>(), bytes: 0 };
  if (batch !== last) batches.push(batch);
  const group = batch.arrivals.get(joining.target);
  if (group) group.push(joining);
  else {
    batch.arrivals.set(joining.target, [joining]);
    batch.bytes += bytes;
  }
  for (const item of items) batch.items.add(item);
}

/** The items of one subscription: the subscription, the list of subscribers, and the channel. */
function itemsOf({ target, user }: Joining, isCreation: boolean): string[] {
  const { channelId } = target.channel;
  return [
    `subscription ${user.userId} ${channelId}`,
    `members ${channelId} ${memberChunkOf(user.userId)}`,
    `channel ${channelId}`,
    ...(isCreation ? [`name ${channelId}`, 'folder', 'who knows'] : []),
    ...(isCreation && target.isDefault ? ['organization'] : []),
  ];
}
