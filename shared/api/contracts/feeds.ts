import * as z from 'zod/mini';
import type { Feed } from '#shared/domain/feeds/feed.ts';

/** A feed of a channel as replies describe it. */
export const feedRecord = z.object({
  feed_id: z.int(),
  url: z.string(),
  title: z.string(),
  topic: z.string(),
  bot_id: z.int(),
  date_created: z.int(),
  next_fetch: z.int(),
  failures: z.int(),
  last_error: z.nullable(z.string()),
});

export const describeFeed = (feed: Feed): z.output<typeof feedRecord> => ({
  feed_id: feed.feedId,
  url: feed.url,
  title: feed.title,
  topic: feed.topic,
  bot_id: feed.botId,
  date_created: feed.createdAtSeconds,
  next_fetch: feed.dueAtSeconds,
  failures: feed.failures,
  last_error: feed.lastError ?? null,
});
