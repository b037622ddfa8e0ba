// The operations addChannelFeed, listChannelFeeds and removeChannelFeed.
import { describe, expect, test } from 'vitest';
import type { Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel } from '#tests/harness/scene.ts';
import { createBot } from '../bots/bots.ts';
import { addFeed, feedsOf, restrictToOwner, startFeedService } from './feeds.ts';

const { receiver, service, member, other } = await startFeedService();
const bot = await createBot(member);

const newChannel = async () => (await createChannel(service, [member, other])).channelId;
const add = (channelId: number, params: Params = {}, client = member) =>
  addFeed(client, channelId, receiver, { bot_id: bot.userId, ...params });

describe('POST /streams/{stream_id}/feeds', () => {
  test('Fetches the feed, and returns its title', async () => {
    const channelId = await newChannel();
    const { feed } = (await add(channelId)).body;
    expect(feed).toEqual({
      feed_id: expect.any(Number),
      url: `${receiver.url}/feed`,
      title: 'Kiln news',
      topic: '',
      bot_id: bot.userId,
      date_created: expect.any(Number),
      next_fetch: feed.date_created + 570,
      failures: 0,
      last_error: null,
    });
    expect(await feedsOf(member, channelId)).toEqual([feed]);
  });

  test.each([
    ['a page', 200, '<html></html>', 'The address is not that of an RSS or Atom feed.'],
    ['a long document', 200, 'x'.repeat(1_100_000), 'The answer cannot be read, or is longer than 1 MB.'],
    ['an error of the server', 404, '', 'The server of the feed answers with status 404.'],
  ])('Refuses %s', async (_what, status, document, msg) => {
    const channelId = await newChannel();
    receiver.respond = (_received, response) => void response.writeHead(status).end(document);
    expectRefusal(await add(channelId), msg);
    expect(await feedsOf(member, channelId)).toEqual([]);
  });

  test.each([
    ['example.com/feed', 'url is not a URL'],
    ['ftp://example.com/feed', 'url is not a URL'],
    [`https://example.com/${'x'.repeat(2_000)}`, 'url is not a URL'],
    ['http://127.0.0.1/feed', 'The address of the feed is not allowed.'],
    ['http://169.254.169.254/latest/meta-data', 'The address of the feed is not allowed.'],
    ['https://a:b@example.com/feed', 'The address of the feed is not allowed.'],
  ])('Refuses the address %s', async (url, msg) => {
    expectRefusal(await add(await newChannel(), { url }), msg);
  });

  test('Refuses the same address twice in a channel, and the twenty-first feed', async () => {
    const channelId = await newChannel();
    const addNth = (n: number) => add(channelId, { url: `${receiver.url}/${n}` });
    for (let n = 0; n < 20; n++) {
      expect((await addNth(n)).status).toBe(200);
      if (n === 0) expectRefusal(await addNth(n), 'The channel already has this feed.');
    }
    expectRefusal(await addNth(20), 'Too many feeds: a channel may have 20.');
  });

  test('Refuses bots of others, people and deactivated bots', async () => {
    const [channelId, gone] = [await newChannel(), await createBot(member)];
    await service.deactivate(gone);
    expectRefusal(await add(channelId, {}, other), 'Insufficient permission');
    expectRefusal(await add(channelId, { bot_id: member.userId }), 'No such bot');
    expectRefusal(await add(channelId, { bot_id: gone.userId }), 'The bot is deactivated.');
    expect(receiver.received).toEqual([]);
  });

  test('Refuses a bot that may not post in the channel, before anything is fetched', async () => {
    const channelId = await newChannel();
    await restrictToOwner(service, channelId);
    expect((await add(channelId)).status).toBe(400);
    expect(receiver.received).toEqual([]);
  });
});

test('All feeds are shown to administrators of the channel, and the feeds of their bots to others', async () => {
  const channelId = await newChannel();
  await add(channelId);
  for (const viewer of [service.owner, member]) expect(await feedsOf(viewer, channelId)).toHaveLength(1);
  expect(await feedsOf(other, channelId)).toEqual([]);
});

test('The owner of its bot and administrators remove a feed, and others find none', async () => {
  for (const remover of [member, service.owner]) {
    const channelId = await newChannel();
    const { body } = await add(channelId);
    const path = `/streams/${channelId}/feeds/${body.feed.feed_id}`;
    expectRefusal(await other.delete(path), 'Feed does not exist', { status: 404 });
    expect(await feedsOf(member, channelId)).toHaveLength(1);
    expect((await remover.delete(path)).status).toBe(200);
    expect(await feedsOf(member, channelId)).toEqual([]);
    expect((await remover.delete(path)).status).toBe(404);
  }
});
