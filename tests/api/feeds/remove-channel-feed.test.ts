import { describe, expect, test } from 'vitest';
import { createChannel } from '#tests/harness/scene.ts';
import { createBot } from '../bots/bots.ts';
import { addFeed, feedsOf, startFeedService } from './feeds.ts';

const { receiver, service, member, other } = await startFeedService();
const bot = await createBot(member);

describe('DELETE /streams/{stream_id}/feeds/{feed_id}', () => {
  test.each([
    ['the owner of its bot', () => member],
    ['an administrator', () => service.owner],
  ])('Lets %s remove a feed', async (_who, remover) => {
    const { channelId } = await createChannel(service, [member]);
    const { body } = await addFeed(member, channelId, receiver, { bot_id: bot.userId });
    const path = `/streams/${channelId}/feeds/${body.feed.feed_id}`;
    expect((await remover().delete(path, {})).status).toBe(200);
    expect(await feedsOf(member, channelId)).toEqual([]);
    expect((await remover().delete(path, {})).status).toBe(404);
  });

  test('Refuses others as if the feed did not exist', async () => {
    const { channelId } = await createChannel(service, [member, other]);
    const { body } = await addFeed(member, channelId, receiver, { bot_id: bot.userId });
    const refused = await other.delete(`/streams/${channelId}/feeds/${body.feed.feed_id}`, {});
    expect(refused.status).toBe(404);
    expect(refused.body.msg).toBe('Feed does not exist');
    expect(await feedsOf(member, channelId)).toHaveLength(1);
  });
});
