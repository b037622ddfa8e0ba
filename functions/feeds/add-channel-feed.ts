import * as z from 'zod/mini';
import { fetchFeed } from '#shared/actions/feeds/fetch-feed.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { describeFeed, feedRecord } from '#shared/api/contracts/feeds.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, text, withDefault } from '#shared/api/parameters.ts';
import { BadRequest, ChannelDoesNotExist, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import {
  checkFeedUrl,
  type Feed,
  nextFetch,
  rememberSeen,
  requireRoomForFeed,
} from '#shared/domain/feeds/feed.ts';
import { digestOf, shownTitle } from '#shared/domain/feeds/post.ts';
import { checkTopic } from '#shared/domain/messages/topic.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { getChannelView } from '#shared/store/channels/channels.ts';
import { countFeeds, listFeeds, newFeedWrite } from '#shared/store/feeds.ts';
import { getDestination } from '#shared/store/messages/destinations.ts';
import { getBot } from '#shared/store/users/bots.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';

/** Lets a bot post the new entries of a feed in a channel. The feed is fetched at once; its present entries are not posted. */
export const addChannelFeed = endpoint({
  route: 'POST /streams/{stream_id}/feeds',
  summary: 'Add a feed to a channel',
  allow: 'humanMember',
  creates: true,
  needs: ['knowChannel', 'administerBot', 'post'],
  params: {
    stream_id: json(z.int(), 'The channel'),
    url: text(z.string(), 'The address of the RSS or Atom feed'),
    bot_id: json(z.int(), 'The bot that posts the entries; it must be allowed to post in the channel'),
    topic: withDefault(text(z.string(), 'The topic of the entries; by default the title of the feed'), ''),
  },
  result: z.object({ feed: feedRecord }),
  errors: [BadRequest, ChannelDoesNotExist, UnauthorizedPrincipal],
  emits: [],
  uses: { table: 'write', areas: ['feeds'], outside: true },
  async handle(params, { services, caller, retry }) {
    const { table, clock } = services;
    const { stream_id: channelId } = params;
    const url = checkFeedUrl(params.url);
    await getChannelView(table, caller, channelId);
    const bot = await getBot(table, caller, params.bot_id);
    if (!bot.isActive) throw new BadRequest('The bot is deactivated.');
    const topic = params.topic.trim() === '' ? '' : checkTopic(params.topic);
    requireRoomForFeed(url, await listFeeds(table, channelId), await countFeeds(table));
    // Before the fetch, so that only who may post has one made.
    await getDestination(table, bot, { kind: 'channel', channel: channelId, topic: topic || 'feed' });
    const answer = await fetchFeed(services, url);
    if (answer.kind !== 'feed')
      throw new BadRequest(
        `${answer.kind === 'failure' ? answer.reason : 'The server answers without a feed'}.`,
      );
    const title = shownTitle(answer.title, url);
    const nowSeconds = toSeconds(clock.nowMs());
    const feed: Feed = {
      feedId: await table.increment(organizationKeys.counter('feed'), 'id'),
      channelId,
      botId: bot.userId,
      url,
      topic,
      title,
      createdAtSeconds: nowSeconds,
      dueAtSeconds: nextFetch(nowSeconds, 0),
      seen: rememberSeen(answer.entries.map(digestOf), []),
      failures: 0,
      ...(answer.etag !== undefined && { etag: answer.etag }),
      ...(answer.lastModified !== undefined && { lastModified: answer.lastModified }),
    };
    return commitWithAnswer(services, retry, { writes: [newFeedWrite(feed)] }, { feed: describeFeed(feed) });
  },
});

export const handler = lambda(addChannelFeed, awsServices);
