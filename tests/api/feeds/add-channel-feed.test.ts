import { describe, expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel } from '#tests/harness/scene.ts';
import { createBot } from '../bots/bots.ts';
import { addFeed, feedsOf, serving, startFeedService } from './feeds.ts';

const { receiver, service, member, other } = await startFeedService();
const bot = await createBot(member);

describe('POST /streams/{stream_id}/feeds', () => {
  test('Fetches the feed, and returns its title', async () => {
    const { channelId } = await createChannel(service, [member]);
    const { status, body } = await addFeed(member, channelId, receiver, { bot_id: bot.userId });
    expect(status).toBe(200);
    expect(body.feed).toEqual({
      feed_id: expect.any(Number),
      url: `${receiver.url}/feed`,
      title: 'Kiln news',
      topic: '',
      bot_id: bot.userId,
      date_created: expect.any(Number),
      next_fetch: body.feed.date_created + 570,
      failures: 0,
      last_error: null,
    });
    expect(await feedsOf(member, channelId)).toEqual([body.feed]);
  });

  test.each([
    ['a page', '<html></html>', 'The address is not that of an RSS or Atom feed.'],
    ['a long document', 'x'.repeat(1_100_000), 'The answer cannot be read, or is longer than 1 MB.'],
  ])('Refuses %s', async (_what, document, msg) => {
    const { channelId } = await createChannel(service, [member]);
    receiver.respond = serving(document);
    expectRefusal(await addFeed(member, channelId, receiver, { bot_id: bot.userId }), msg);
    expect(await feedsOf(member, channelId)).toEqual([]);
  });

  test('Refuses a server that answers with an error', async () => {
    const { channelId } = await createChannel(service, [member]);
    receiver.respond = (_received, response) => void response.writeHead(404).end();
    expectRefusal(
      await addFeed(member, channelId, receiver, { bot_id: bot.userId }),
      'The server of the feed answers with status 404.',
    );
  });

  test.each([
    ['example.com/feed', 'url is not a URL'],
    ['ftp://example.com/feed', 'url is not a URL'],
    [`https://example.com/${'x'.repeat(2_000)}`, 'url is not a URL'],
    ['http://127.0.0.1/feed', 'The address of the feed is not allowed.'],
    ['http://169.254.169.254/latest/meta-data', 'The address of the feed is not allowed.'],
    ['https://a:b@example.com/feed', 'The address of the feed is not allowed.'],
  ])('Refuses the address %s', async (url, msg) => {
    const { channelId } = await createChannel(service, [member]);
    expectRefusal(await addFeed(member, channelId, receiver, { bot_id: bot.userId, url }), msg);
  });

  test('Refuses a second feed with the same address in a channel', async () => {
    const { channelId } = await createChannel(service, [member]);
    await addFeed(member, channelId, receiver, { bot_id: bot.userId });
    expectRefusal(
      await addFeed(member, channelId, receiver, { bot_id: bot.userId }),
      'The channel already has this feed.',
    );
  });

  test('Refuses the twenty-first feed of a channel', async () => {
    const { channelId } = await createChannel(service, [member]);
    const add = (n: number) =>
      addFeed(member, channelId, receiver, { bot_id: bot.userId, url: `${receiver.url}/${n}` });
    for (let n = 0; n < 20; n++) expect((await add(n)).status).toBe(200);
    expectRefusal(await add(20), 'Too many feeds: a channel may have 20.');
  });

  test('Refuses bots of others, people and deactivated bots', async () => {
    const { channelId } = await createChannel(service, [member, other]);
    expectRefusal(
      await addFeed(other, channelId, receiver, { bot_id: bot.userId }),
      'Insufficient permission',
    );
    expectRefusal(await addFeed(member, channelId, receiver, { bot_id: member.userId }), 'No such bot');
    const gone = await createBot(member);
    await service.deactivate(gone);
    expectRefusal(
      await addFeed(member, channelId, receiver, { bot_id: gone.userId }),
      'The bot is deactivated.',
    );
    expect(receiver.received).toEqual([]);
  });

  test('Refuses a bot that may not post in the channel, before anything is fetched', async () => {
    const { channelId } = await createChannel(service, [member]);
    const onlyOwner = { new: { direct_members: [service.owner.userId], direct_subgroups: [] } };
    await service.owner.patch(`/streams/${channelId}`, { can_send_message_group: onlyOwner });
    const { status } = await addFeed(member, channelId, receiver, { bot_id: bot.userId });
    expect(status).toBe(400);
    expect(receiver.received).toEqual([]);
  });
});
