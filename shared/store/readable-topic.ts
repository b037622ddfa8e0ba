import { limits } from '#shared/domain/channels/channel.ts';
import type { ChannelView } from '#shared/domain/messages/access.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { keys, messageIndex, positionSortKey } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** Beyond every position. */
const END_OF_TIME = 9_999_999_999;

/**
 * Whether a channel that a user may read has a message in a topic that they may read. One read, or where older
 * messages are not for newcomers one query for each time that the user was subscribed.
 */
export async function hasReadableTopic(
  table: Table,
  { channel: { channelId, isHistoryPublic }, subscription }: ChannelView,
  topic: string,
): Promise<boolean> {
  if ([...topic].length > limits.topic) return false;
  const canonical = toCanonical(topic);
  if (isHistoryPublic) return (await table.find(keys.topic(channelId, canonical))) !== undefined;
  const stays = await mapConcurrently(subscription?.intervals ?? [], ([from, to]) =>
    table.page({
      index: messageIndex.byConversation,
      partition: messageIndex.topic(channelId, canonical),
      from: positionSortKey(from + 1),
      to: positionSortKey((to ?? END_OF_TIME) - 1),
      limit: 1,
    }),
  );
  return stays.some(({ items }) => items.length > 0);
}
