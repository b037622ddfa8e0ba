import type { QueueFilter } from '#shared/events/queue-filter.ts';
import { changesRoleOf, channelsRevealed, type ShapedEntry, wants } from '#shared/events/shape.ts';
import { changesEmoji, needsAllEmoji } from '#shared/events/shapers/emoji.ts';
import type { RevealedChannel, Shaping } from '#shared/events/shaping.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsById } from '#shared/store/channels.ts';
import { listCustomEmoji } from '#shared/store/custom-emoji.ts';
import { listSubscriberIds } from '#shared/store/subscriptions.ts';
import { listUsers } from '#shared/store/users.ts';

/**
 * What an entry lets its viewer see that they could not before, and what a change has to be told with; nothing is read
 * for entries without such changes.
 */
export async function loadNewSights(
  { table }: Services,
  entry: ShapedEntry,
  userId: number,
  filter: QueueFilter,
): Promise<Pick<Shaping, 'emoji' | 'people' | 'revealed'>> {
  const channelIds = channelsRevealed(entry, userId);
  const channels = await listChannelsById(table, channelIds);
  const revealed = await mapConcurrently(channels, async (channel): Promise<[number, RevealedChannel]> => {
    const subscriberIds = await listSubscriberIds(table, channel.channelId);
    return [channel.channelId, { channel, subscriberIds }];
  });
  return {
    revealed: new Map(revealed),
    ...(changesEmoji(entry) &&
      wants(filter, 'realm_emoji') &&
      needsAllEmoji(filter) && { emoji: await listCustomEmoji(table) }),
    ...(changesRoleOf(entry, userId) && { people: await listUsers(table) }),
  };
}
