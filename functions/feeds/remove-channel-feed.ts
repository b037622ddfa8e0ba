import * as z from 'zod/mini';
import { listVisibleFeeds } from '#shared/actions/feeds/visible-feeds.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, NotFound } from '#shared/domain/errors.ts';
import { writeSilently } from '#shared/log/commit.ts';
import { removedFeedWrite } from '#shared/store/feeds.ts';

/** Removes a feed from a channel; its messages stay. */
export const removeChannelFeed = endpoint({
  route: 'DELETE /streams/{stream_id}/feeds/{feed_id}',
  summary: 'Remove a feed from a channel',
  allow: 'human',
  needs: ['removeFeed'],
  params: { stream_id: json(z.int(), 'The channel'), feed_id: json(z.int(), 'The feed') },
  result: nothing,
  errors: [BadRequest, NotFound],
  emits: [],
  uses: { table: 'write', areas: ['feeds'] },
  async handle({ stream_id: channelId, feed_id: feedId }, { services, caller }) {
    const feeds = await listVisibleFeeds(services.table, caller, channelId);
    const feed = feeds.find((candidate) => candidate.feedId === feedId);
    if (!feed) throw new NotFound('Feed does not exist');
    await writeSilently(services, removedFeedWrite(feed));
    return {};
  },
});

export const handler = lambda(removeChannelFeed, awsServices);
