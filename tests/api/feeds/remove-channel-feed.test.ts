import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { readOpenings } from '#shared/runtime/outside/openings.ts';
import type { Client } from '#tests/harness/client.ts';
import { Receiver } from '#tests/harness/receiver.ts';
import { createChannel, createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createBot } from '../bots/bots.ts';
import { addFeed, rss, serving } from './feeds.ts';

const receiver = new Receiver();
await receiver.start();
const service = await startTestService({ openings: readOpenings(receiver.host) });
const member = await createUser(service, 'Member');
const other = await createUser(service, 'Other');
const bot = await createBot(member);
beforeEach(() => {
  receiver.received.length = 0;
  receiver.respond = serving(rss(['one']));
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

const feedsOf = async (viewer: Client, channelId: number) =>
  (await viewer.get(`/streams/${channelId}/feeds`)).body.feeds;

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
