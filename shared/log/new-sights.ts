import { changesRoleOf, channelsRevealed, type ShapedEntry } from '#shared/events/shape.ts';
import type { RevealedChannel, Shaping } from '#shared/events/shaping.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsById } from '#shared/store/channels.ts';
import { listSubscriberIds } from '#shared/store/subscriptions.ts';
import { listUsers } from '#shared/store/users.ts';

/** What an entry lets its viewer see that they could not before; nothing is read for all but those whose role changes. */
export async function loadNewSights(
  { table }: Services,
  entry: ShapedEntry,
  userId: number,
): Promise<Pick<Shaping, 'people' | 'revealed'>> {
  const channelIds = channelsRevealed(entry, userId);
  const channels = await listChannelsById(table, channelIds);
  const revealed = await mapConcurrently(channels, async (channel): Promise<[number, RevealedChannel]> => {
    const subscriberIds = await listSubscriberIds(table, channel.channelId);
    return [channel.channelId, { channel, subscriberIds }];
  });
  return {
    revealed: new Map(revealed),
    ...(changesRoleOf(entry, userId) && { people: await listUsers(table) }),
  };
}
