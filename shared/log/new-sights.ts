import type { User } from '#shared/domain/users/user.ts';
import { subscribersBefore } from '#shared/events/acquaintance.ts';
import { peopleBefore } from '#shared/events/people-then.ts';
import { changesRoleOf, channelsTurned, type ShapedEntry, wants } from '#shared/events/shape.ts';
import { changesEmoji, needsAllEmoji } from '#shared/events/shapers/emoji.ts';
import type { RevealedChannel, Shaping } from '#shared/events/shaping.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsById } from '#shared/store/channels.ts';
import { listCustomEmoji } from '#shared/store/custom-emoji.ts';
import { listSubscriberIds } from '#shared/store/subscriptions.ts';
import { listUsers } from '#shared/store/users.ts';
import type { Table } from '#shared/table/table.ts';
import type { Queue } from './queue.ts';
import { listSince } from './since.ts';

/**
 * What an entry lets its viewer see that they could not before, and what a change has to be told with; nothing is read
 * for entries without such changes.
 */
export async function loadNewSights(
  { table }: Services,
  entry: ShapedEntry,
  { queueId, userId, filter }: Queue,
): Promise<Pick<Shaping, 'emoji' | 'people' | 'revealed'>> {
  const { revealed } = channelsTurned(entry, userId);
  return {
    ...(revealed.length > 0 && { revealed: await loadRevealed(table, queueId, entry.position, revealed) }),
    ...(changesEmoji(entry) &&
      wants(filter, 'realm_emoji') &&
      needsAllEmoji(filter) && { emoji: await listCustomEmoji(table) }),
    ...(changesRoleOf(entry, userId) && { people: await loadPeople(table, queueId, entry.position) }),
  };
}

async function loadPeople(table: Table, queueId: string, position: number): Promise<User[]> {
  const people = await listUsers(table);
  return peopleBefore(people, await listSince(table, queueId, position));
}

/**
 * The channels with who was subscribed to them by an entry. However often its events are asked for, they are the same:
 * a client may have got a part of them.
 */
async function loadRevealed(
  table: Table,
  queueId: string,
  position: number,
  channelIds: number[],
): Promise<Map<number, RevealedChannel>> {
  const channels = await listChannelsById(table, channelIds);
  const subscribers = await mapConcurrently(channels, ({ channelId }) => listSubscriberIds(table, channelId));
  const since = await listSince(table, queueId, position);
  return new Map(
    channels.map((channel, n) => {
      const then = subscribersBefore(subscribers[n] ?? [], channel.channelId, since);
      return [channel.channelId, { channel, subscriberIds: [...then].sort((a, b) => a - b) }];
    }),
  );
}
