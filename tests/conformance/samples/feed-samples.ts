import { keep } from '#tests/conformance/kept.ts';
import type { World } from '#tests/conformance/world.ts';
import { Receiver } from '#tests/harness/receiver.ts';
import { openOutside } from './outside-server.ts';

const DOCUMENT =
  '<rss version="2.0"><channel><title>Kiln news</title><item><title>One</title><guid>1</guid></item></channel></rss>';

/** The address of a feed, which the service may fetch. */
const feedServer = (world: World): Promise<string> =>
  keep(world, 'a server of feeds', async () => {
    const receiver = await new Receiver().start();
    receiver.respond = (_received, response) => void response.end(DOCUMENT);
    openOutside(world, receiver);
    return receiver.url;
  });

/** An active bot of the caller's; calls may have deactivated an earlier one. */
async function botOf({ caller, nextNumber }: World): Promise<number> {
  const { body } = await caller.get('/bots');
  const [known] = body.bots.filter(({ full_name }: { full_name: string }) => full_name.startsWith('Feeds '));
  if (known) return (await caller.get(`/users/${encodeURIComponent(known.username)}`)).body.user.user_id;
  const name = `Feeds ${nextNumber()}`;
  const short_name = name.toLowerCase().replace(' ', '');
  return (await caller.post('/bots', { full_name: name, short_name })).body.user_id;
}

/** A feed that the channel does not have yet. Channels have room for few. */
async function newFeed(world: World) {
  const { caller, channelId, nextNumber } = world;
  const { body } = await caller.get(`/streams/${channelId}/feeds`);
  for (const { feed_id } of body.feeds) await caller.delete(`/streams/${channelId}/feeds/${feed_id}`, {});
  return {
    stream_id: channelId,
    url: `${await feedServer(world)}/${nextNumber()}`,
    bot_id: await botOf(world),
    topic: 'News',
  };
}

async function addedFeed(world: World): Promise<number> {
  const { stream_id, ...params } = await newFeed(world);
  const { body } = await world.caller.post(`/streams/${stream_id}/feeds`, params);
  return body.feed.feed_id;
}

export const feedSamples = {
  addChannelFeed: newFeed,
  listChannelFeeds: async (world: World) => {
    await addedFeed(world);
    return { stream_id: world.channelId };
  },
  removeChannelFeed: async (world: World) => ({
    stream_id: world.channelId,
    feed_id: await addedFeed(world),
  }),
};
