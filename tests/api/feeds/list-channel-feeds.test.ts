import { describe, expect, test } from 'vitest';
import { createChannel } from '#tests/harness/scene.ts';
import { createBot } from '../bots/bots.ts';
import { addFeed, feedsOf, startFeedService } from './feeds.ts';

const { receiver, service, member, other } = await startFeedService();
const bot = await createBot(member);

describe('GET /streams/{stream_id}/feeds', () => {
  test('Shows all feeds to administrators of the channel, and the feeds of their bots to others', async () => {
    const { channelId } = await createChannel(service, [member, other]);
    await addFeed(member, channelId, receiver, { bot_id: bot.userId });
    expect(await feedsOf(service.owner, channelId)).toHaveLength(1);
    expect(await feedsOf(member, channelId)).toHaveLength(1);
    expect(await feedsOf(other, channelId)).toEqual([]);
  });
});
