import { expect, test } from 'vitest';
import { preferenceLimits } from '#shared/domain/topics/choose.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Write } from '#shared/table/table.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { choose, FOLLOWED, fetchData, INHERITED, MUTED, preferencesOf, setPolicy } from './topic-calls.ts';

const service = await startTestService();

const BRICK = '🧱';
/** The policy to follow each topic that the user sends to. */
const SENDING = 2;
const WRITES_PER_TRANSACTION = 100;

/** Writes a user's preferences into the table: thousands of calls would take too long. */
async function prefer({ userId }: Client, channelId: number, policy: number, count: number, name: string) {
  const { table, ids } = service.services;
  const writes = Array.from({ length: count }, (_, index): Write => {
    const topic = `${String(index).padStart(4, '0')}${BRICK.repeat(56)}`;
    const item = { channelId, channelName: name, topic, policy, updatedAtSeconds: 1_800_000_000 };
    return { kind: 'put', item: { ...channelKeys.topicPreference(userId, channelId, topic), ...item } };
  });
  for (let start = 0; start < count; start += WRITES_PER_TRANSACTION)
    await table.transact(writes.slice(start, start + WRITES_PER_TRANSACTION), ids.writeId());
}

test('A user mutes topics of the longest names up to the limit', async () => {
  const ada = await createUser(service, 'Ada');
  const name = BRICK.repeat(60);
  const channelId = await ada.subscribe(name);
  await prefer(ada, channelId, MUTED, preferenceLimits.mutedTopics - 1, name);
  const queue = await ada.listen({ event_types: ['muted_topics'] });
  await choose(ada, [channelId, 'the last', MUTED]);
  const [event] = await queue.drain();
  expect(event?.muted_topics).toHaveLength(preferenceLimits.mutedTopics);
  const refused = await setPolicy(ada, channelId, 'one more', MUTED);
  expectRefusal(refused, `You cannot mute more than ${preferenceLimits.mutedTopics} topics`);
  await choose(ada, [channelId, 'the last', FOLLOWED], [channelId, 'one more', MUTED]);
});

test('A user at the limit of policies can still send to new topics', async () => {
  const bo = await createUser(service, 'Bo');
  const { channelId, name } = await createChannel(service, [bo]);
  await prefer(bo, channelId, FOLLOWED, preferenceLimits.topics - 1, name);
  await choose(bo, [channelId, 'the last', FOLLOWED]);
  const refused = await setPolicy(bo, channelId, 'one more', FOLLOWED);
  expectRefusal(refused, `You cannot have preferences for more than ${preferenceLimits.topics} topics`);
  expect(await preferencesOf(bo)).toHaveLength(preferenceLimits.topics);
  await bo.patch('/settings', { automatically_follow_topics_policy: SENDING });
  const topic = { type: 'channel', to: channelId, topic: 'one more' };
  const sent = await bo.post('/messages', { ...topic, content: 'a topic that is not followed' });
  expect(sent.status).toBe(200);
  expect(sent.body).not.toHaveProperty('automatic_new_visibility_policy');
  await choose(bo, [channelId, 'the last', MUTED], [channelId, 'the last', INHERITED]);
  const again = await bo.post('/messages', { ...topic, content: 'now there is room' });
  expect(again.body.automatic_new_visibility_policy).toBe(FOLLOWED);
  await choose(bo, [channelId, 'one more', MUTED]);
  expect((await fetchData(bo, ['muted_topics'])).muted_topics).toHaveLength(1);
});

test('A policy costs 9 write units, and the reads of the user’s policies', async () => {
  const cy = await createUser(service, 'Cy');
  const { channelId } = await createChannel(service, [cy]);
  const costOf = (topic: string, policy: number) =>
    unitsOf(service, () => choose(cy, [channelId, topic, policy]));
  const first = await costOf('a', MUTED);
  expect(first.write).toBe(9);
  expect(first.read).toBeLessThanOrEqual(4);
  expect((await costOf('a', MUTED)).write).toBe(0);
  for (const policy of [MUTED, INHERITED]) expect((await costOf('b', policy)).write).toBe(9);
});

test('Register reads all policies once, in whatever forms it returns them', async () => {
  const di = await createUser(service, 'Di');
  const { channelId, name } = await createChannel(service, [di]);
  await prefer(di, channelId, MUTED, 10, name);
  const readFor = async (types: string[]) => (await unitsOf(service, () => fetchData(di, types))).read;
  // The first register moves the low-water mark that others go on from.
  await readFor([]);
  const bare = await readFor([]);
  expect((await readFor(['user_topic'])) - bare).toBe(2);
  const unread = await readFor(['message', 'update_message_flags']);
  expect((await readFor(['message', 'update_message_flags', 'muted_topics'])) - unread).toBe(0);
  expect((await readFor(['muted_users'])) - bare).toBe(1);
});
