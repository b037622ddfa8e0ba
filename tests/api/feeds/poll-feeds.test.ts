import { afterEach, describe, expect, test } from 'vitest';
import { sweep, sweepIfNeeded } from '#functions/workers/sweep.ts';
import type { Client } from '#tests/harness/client.ts';
import { takeErrors } from '#tests/harness/logged-lines.ts';
import { createChannel } from '#tests/harness/scene.ts';
import { createBot } from '../bots/bots.ts';
import {
  addFeed,
  feedsOf,
  messagesIn,
  postedIn,
  restrictToOwner,
  rss,
  serving,
  startFeedService,
  sweepLater,
} from './feeds.ts';

const { receiver, service, member } = await startFeedService();

let feedPath: string;
afterEach(() => member.delete(feedPath));

/** A feed with two entries in a new channel; the test's end removes it. */
async function scene(topic = '') {
  const { channelId } = await createChannel(service, [member]);
  const bot = await createBot(member);
  receiver.respond = serving(rss(['two', 'one']));
  const { body } = await addFeed(member, channelId, receiver, { bot_id: bot.userId, topic });
  feedPath = `/streams/${channelId}/feeds/${body.feed.feed_id}`;
  const find = async () => (await feedsOf(member, channelId))[0];
  return { channelId, bot, find };
}

async function noticesOf(reader: Client): Promise<string[]> {
  const messages = await messagesIn(reader, { operator: 'is', operand: 'dm' });
  return messages.map(({ content }) => content).filter((content) => content.includes('/feed'));
}
const THREE = rss(['three', 'two', 'one']);

describe('A feed', () => {
  test('Posts its new entries one by one, the oldest first', async () => {
    const { channelId } = await scene();
    receiver.respond = serving(rss(['four', 'three', 'two', 'one']));
    await sweepLater(service);
    expect(await postedIn(member, channelId)).toEqual([
      { topic: 'Kiln news', content: '**[three](https://example.com/three)**' },
      { topic: 'Kiln news', content: '**[four](https://example.com/four)**' },
    ]);
    await sweepLater(service);
    expect(await postedIn(member, channelId)).toHaveLength(2);
  });

  test('Goes to the topic of its own, and is fetched every ten minutes', async () => {
    const { channelId } = await scene('Releases');
    receiver.received.length = 0;
    receiver.respond = serving(THREE);
    await sweepLater(service, 5);
    expect(receiver.received).toEqual([]);
    await sweepLater(service, 5);
    expect(receiver.received).toHaveLength(1);
    expect(await postedIn(member, channelId)).toMatchObject([{ topic: 'Releases' }]);
  });

  test('Posts nothing while its server says that it has not changed', async () => {
    await scene();
    const headers = { etag: '"v1"', 'last-modified': 'Tue, 03 Nov 2026 10:00:00 GMT' };
    receiver.respond = serving(rss(['two', 'one']), headers);
    await sweepLater(service);
    await sweepLater(service);
    expect(receiver.received.at(-1)?.headers).toMatchObject({
      'if-none-match': '"v1"',
      'if-modified-since': 'Tue, 03 Nov 2026 10:00:00 GMT',
    });
    receiver.respond = serving(rss(['two', 'one']));
    await sweepLater(service);
    await sweepLater(service);
    expect(receiver.received.at(-1)?.headers).not.toHaveProperty('if-none-match');
  });

  test('Posts at most ten entries of one answer, the newest', async () => {
    const { channelId } = await scene();
    receiver.respond = serving(rss(Array.from({ length: 60 }, (_, n) => `entry${60 - n}`)));
    await sweepLater(service);
    const posted = await postedIn(member, channelId);
    expect(posted).toHaveLength(10);
    expect(posted.at(-1)?.content).toContain('entry60');
    await sweepLater(service);
    expect(await postedIn(member, channelId)).toHaveLength(10);
  });

  test('Posts each entry once if two sweeps run at the same time', async () => {
    const { channelId } = await scene();
    receiver.respond = serving(THREE);
    service.advance(600_000);
    await Promise.all([sweep(service.services), sweep(service.services)]);
    await service.rest();
    expect(await postedIn(member, channelId)).toHaveLength(1);
  });

  test('Posts each entry once if a worker ends after an entry', async () => {
    const { channelId } = await scene();
    receiver.respond = serving(rss(['four', 'three', 'two', 'one']), { etag: '"v2"' });
    // The worker ends with the first write after the first entry.
    const { table } = service.services;
    const transact = table.transact.bind(table);
    let count = 0;
    table.transact = async (writes, token) => {
      const isPost = writes.some((write) => 'key' in write && write.key.pk === 'FEEDS');
      if (isPost && ++count > 1) throw new Error('The worker ended');
      await transact(writes, token);
    };
    await sweepLater(service);
    table.transact = transact;
    expect(takeErrors()).toEqual(['A feed could not be read']);
    expect(await postedIn(member, channelId)).toHaveLength(1);
    await sweepLater(service);
    expect((await postedIn(member, channelId)).map(({ content }) => content)).toEqual([
      '**[three](https://example.com/three)**',
      '**[four](https://example.com/four)**',
    ]);
  });

  test('Waits longer after each failure, and its owner gets one notice', async () => {
    const { channelId, find } = await scene();
    receiver.respond = (_received, response) => void response.writeHead(503).end();
    receiver.received.length = 0;
    for (let minutes = 0; minutes < 24 * 60; minutes += 5) await sweepLater(service, 5);
    expect(receiver.received.length).toBeLessThan(10);
    expect(await noticesOf(member)).toHaveLength(1);
    expect(await find()).toMatchObject({
      failures: receiver.received.length,
      last_error: 'The server of the feed answers with status 503',
    });
    receiver.respond = serving(THREE);
    await sweepLater(service, 24 * 60);
    expect(await find()).toMatchObject({ failures: 0, last_error: null });
    expect(await postedIn(member, channelId)).toHaveLength(1);
  });

  test('Waits for the pause that its server requires', async () => {
    await scene();
    receiver.respond = (_received, response) => void response.writeHead(429, { 'retry-after': '7200' }).end();
    await sweepLater(service);
    receiver.received.length = 0;
    await sweepLater(service, 100);
    expect(receiver.received).toEqual([]);
    await sweepLater(service, 25);
    expect(receiver.received).toHaveLength(1);
  });

  test.each([
    ['a page', '<html><title>Page</title></html>'],
    ['an endless document', 'x'.repeat(2_000_000)],
    ['deep elements', `<rss>${'<a>'.repeat(200_000)}`],
  ])('Survives %s in its place', async (_what, document) => {
    const { channelId, find } = await scene();
    receiver.respond = serving(document);
    await sweepLater(service);
    expect(await postedIn(member, channelId)).toEqual([]);
    expect((await find()).failures).toBeLessThan(2);
  });

  test('Keeps its letters in the encoding that it declares', async () => {
    const { channelId } = await scene();
    const text = `<?xml version="1.0" encoding="ISO-8859-1"?>${THREE.slice(21)}`;
    const bytes = Buffer.from(text.replace('<title>three', '<title>dr\u00ef'), 'latin1');
    receiver.respond = (_received, response) =>
      void response.writeHead(200, { 'content-type': 'text/xml' }).end(bytes);
    await sweepLater(service);
    expect((await postedIn(member, channelId))[0]?.content).toContain('[dr\u00ef]');
  });

  test('Mentions no one', async () => {
    const { channelId } = await scene();
    receiver.respond = serving(rss(['@**all** @**Member**', 'two', 'one']));
    await sweepLater(service);
    const [posted] = await postedIn(member, channelId);
    expect(posted?.content).not.toContain('@**');
  });

  test('Counts as failing while its bot may not post, and rests while its bot is deactivated', async () => {
    const { channelId, bot, find } = await scene();
    receiver.respond = serving(THREE);
    await restrictToOwner(service, channelId);
    await sweepLater(service);
    expect(await find()).toMatchObject({ failures: 1 });
    await service.deactivate(bot);
    receiver.received.length = 0;
    await sweepLater(service, 60);
    expect(receiver.received).toEqual([]);
  });

  test('Posts on AWS although there is nothing to sweep', async () => {
    const { channelId } = await scene();
    await sweep(service.services);
    receiver.respond = serving(THREE);
    service.advance(600_000);
    await sweepIfNeeded(service.services);
    await service.rest();
    expect(await postedIn(member, channelId)).toHaveLength(1);
  });
});
