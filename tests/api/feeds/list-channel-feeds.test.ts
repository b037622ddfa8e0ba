import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { readOpenings } from '#shared/runtime/outside/openings.ts';
import type { Client } from '#tests/harness/client.ts';
import { Receiver } from '#tests/harness/receiver.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
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

describe('GET /streams/{stream_id}/feeds', () => {
  test('Shows all feeds to administrators of the channel, and the feeds of their bots to others', async () => {
    const { channelId } = await createChannel(service, [member, other]);
    await addFeed(member, channelId, receiver, { bot_id: bot.userId });
    expect(await feedsOf(service.owner, channelId)).toHaveLength(1);
    expect(await feedsOf(member, channelId)).toHaveLength(1);
    expect(await feedsOf(other, channelId)).toEqual([]);
  });

  test('Refuses channels that the caller may not know', async () => {
    const { channelId } = await createChannel(service, [other], { invite_only: true });
    expectRefusal(await member.get(`/streams/${channelId}/feeds`), 'Invalid channel ID');
  });
});
