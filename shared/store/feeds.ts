import type { Feed } from '#shared/domain/feeds/feed.ts';
import { botKeys, botPartitions, botPrefixes } from '#shared/table/keys/bots.ts';
import { jobPartitions } from '#shared/table/keys/jobs.ts';
import { type Condition, type Item, recordOf, type Table, type Write } from '#shared/table/table.ts';

export async function findFeed(table: Table, channelId: number, feedId: number): Promise<Feed | undefined> {
  const item = await table.find(botKeys.feed(channelId, feedId));
  return item && toFeed(item);
}

/** The feeds of a channel, the oldest first. */
export async function listFeeds(table: Table, channelId: number): Promise<Feed[]> {
  const items = await table.list({
    partition: botPartitions.feeds(),
    prefix: botPrefixes.feedsOf(channelId),
    consistent: true,
  });
  return items.map(toFeed);
}

/** How many feeds the organization has. */
export async function countFeeds(table: Table): Promise<number> {
  return (await table.list({ partition: botPartitions.feeds(), attributes: ['feedId'] })).length;
}

export const newFeedWrite = (feed: Feed): Write => ({
  kind: 'put',
  item: { ...botKeys.feed(feed.channelId, feed.feedId), ...feed, due: jobPartitions.due() },
  condition: { exists: false },
});

/** Changes a feed on condition that nothing else has fetched or removed it since it was loaded. */
export function feedWrite(
  { channelId, feedId, dueAtSeconds }: Feed,
  set: Partial<Feed>,
  remove: (keyof Feed)[] = [],
): Extract<Write, { kind: 'update' }> {
  const condition: Condition = { equals: { dueAtSeconds } };
  const update = {
    kind: 'update',
    key: botKeys.feed(channelId, feedId),
    set: { ...set },
    condition,
  } as const;
  return remove.length === 0 ? update : { ...update, remove };
}

export const removedFeedWrite = ({ channelId, feedId }: Feed): Extract<Write, { kind: 'delete' }> => ({
  kind: 'delete',
  key: botKeys.feed(channelId, feedId),
});

function toFeed(item: Item): Feed {
  const { pk: _pk, sk: _sk, due: _due, ...feed } = item;
  return recordOf<Feed>(feed);
}
