import * as z from 'zod/mini';
import { listVisibleFeeds } from '#shared/actions/feeds/visible-feeds.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { describeFeed, feedRecord } from '#shared/api/contracts/feeds.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';

/** The feeds of a channel: all for its administrators, otherwise the feeds of the caller's bots. */
export const listChannelFeeds = endpoint({
  route: 'GET /streams/{stream_id}/feeds',
  summary: 'Get the feeds of a channel',
  allow: 'human',
  needs: ['knowChannel'],
  params: { stream_id: json(z.int(), 'The channel') },
  result: z.object({ feeds: z.array(feedRecord) }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read', areas: ['feeds'] },
  async handle({ stream_id: channelId }, { services: { table }, caller }) {
    return { feeds: (await listVisibleFeeds(table, caller, channelId)).map(describeFeed) };
  },
});

export const handler = lambda(listChannelFeeds, awsServices);
