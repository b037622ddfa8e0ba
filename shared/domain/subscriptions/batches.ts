import type { Channel } from '#shared/domain/channels/channel.ts';
import { recordBytes } from '#shared/domain/channels/new-channel-limits.ts';
import type { User } from '#shared/domain/users/user.ts';
import { memberChunkOf } from '#shared/table/chunks.ts';
import type { Subscription } from './subscription.ts';

/** A channel that users are to be subscribed to. */
export interface Target {
  channel: Channel;
  isNew: boolean;
  /** An earlier transaction of the same call brought it into being. */
  isOurs?: boolean;
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

/** Users who come to one channel in one transaction. */
export interface Arrival {
  target: Target;
  /** The channel as it was before they came. */
  channel: Channel;
  /** The channel comes into being with them. */
  isCreated: boolean;
  joinings: Joining[];
}

/** What one transaction holds. */
interface Batch {
  arrivals: Map<Target, Joining[]>;
  /** The items that the transaction writes. */
  items: Set<string>;
  /** About how much the events of the batch hold. */
  bytes: number;
}

/** A transaction holds a hundred writes; entry and jobs need room too. */
const WRITES_PER_CHANGE = 88;
/** An item of the table holds 400 KB, and the entry of the log is one. */
const BYTES_PER_CHANGE = 200_000;

/**
 * Divides joinings into parts that are each small enough for one transaction. A new channel comes into being with the
 * first of its subscribers.
 */
export function divideJoinings(targets: Target[], joinings: Joining[]): Arrival[][] {
  const batches: Batch[] = [];
  const byTarget = Map.groupBy(joinings, ({ target }) => target);
  for (const target of targets) {
    // The record stands in two events at most: the one that reveals the channel, and the one that adds it.
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

/** What is written for one joining: its subscription, the list of subscribers, and the channel. */
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
