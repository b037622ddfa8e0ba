import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { allIdsOfTopic, fillTopic, move, topicsOf } from '#tests/api/messages/message-changes.ts';
import type { Client } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUsers, type TestChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

/** More messages than one transaction moves. */
const MANY = 90;
const WHOLE = { propagate_mode: 'change_all' };

let channel: TestChannel;

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
beforeEach(async () => {
  channel = await createChannel(service, [ada, bo]);
});
afterAll(() => service.stop());

const idsOf = (topic: string, place = channel) => allIdsOfTopic(bo, place, topic);
const prefer = (client: Client, topic: string, policy: number) =>
  client.post('/user_topics', { stream_id: channel.channelId, topic, visibility_policy: policy });
const preferences = async (client: Client) =>
  (await client.register({ fetch_event_types: ['user_topic'] })).snapshot.user_topics
    .filter(({ stream_id: id }: { stream_id: number }) => id === channel.channelId)
    .map((one: { topic_name: string; visibility_policy: number }) => [one.topic_name, one.visibility_policy]);

describe('A topic whose messages are still being moved', () => {
  test('Moves back as a whole', async () => {
    const ids = await fillTopic(ada, channel, 'plan', MANY);
    await prefer(bo, 'plan', 3);
    const release = holdJobs(service);
    await move(ada, ids[0] ?? 0, { topic: 'idea', ...WHOLE });
    await move(ada, ids[0] ?? 0, { topic: 'plan', ...WHOLE });
    await release();
    expect(await idsOf('plan')).toEqual(ids);
    expect(await topicsOf(bo, channel)).toHaveLength(1);
    expect(await preferences(bo)).toEqual([['plan', 3]]);
  });

  test('Moves back by a message that has not left yet', async () => {
    const there = await createChannel(service, [ada, bo]);
    const ids = await fillTopic(ada, channel, 'plan', MANY);
    const release = holdJobs(service);
    await move(service.owner, ids[0] ?? 0, { stream_id: there.channelId, ...WHOLE });
    const { status } = await move(service.owner, ids.at(-1) ?? 0, { stream_id: channel.channelId, ...WHOLE });
    expect(status).toBe(200);
    await release();
    expect(await idsOf('plan')).toEqual(ids);
    expect(await idsOf('plan', there)).toEqual([]);
  });

  test('Moves to a third name as a whole, for all clients', async () => {
    const ids = await fillTopic(ada, channel, 'plan', MANY);
    await expectConsistentSnapshot(service, [ada, bo], async () => {
      const release = holdJobs(service);
      await move(ada, ids[0] ?? 0, { topic: 'idea', ...WHOLE });
      await move(ada, ids[0] ?? 0, { topic: 'dream', ...WHOLE });
      await release();
    });
    expect(await idsOf('dream')).toEqual(ids);
    expect(await topicsOf(bo, channel)).toMatchObject([{ name: 'dream', max_id: ids.at(-1) }]);
  });

  test('Can be deleted as a whole', async () => {
    const ids = await fillTopic(ada, channel, 'plan', MANY);
    const release = holdJobs(service);
    await move(service.owner, ids[0] ?? 0, { topic: 'idea', ...WHOLE });
    const path = `/streams/${channel.channelId}/delete_topic`;
    const { body } = await service.owner.post(path, { topic_name: 'idea' });
    expect(body.complete).toBe(true);
    await release();
    expect([await idsOf('plan'), await idsOf('idea')]).toEqual([[], []]);
    expect(await topicsOf(bo, channel)).toEqual([]);
  });

  test('Does not include a message that is moved to its own place, which is refused', async () => {
    const [id = 0] = await fillTopic(ada, channel, 'plan', 1);
    expectRefusal(await move(ada, id, { topic: 'plan' }), 'Nothing to change');
  });
});

describe('A late job of a moved topic', () => {
  test('Leaves the policy that a person chose since', async () => {
    const [id = 0] = await fillTopic(ada, channel, 'plan', 2);
    await prefer(bo, 'plan', 3);
    const release = holdJobs(service);
    await move(ada, id, { topic: 'idea', ...WHOLE });
    await prefer(bo, 'idea', 1);
    await release();
    expect(await preferences(bo)).toEqual([['idea', 1]]);
  });

  test('Leaves no note in a topic that is empty again', async () => {
    const [id = 0] = await fillTopic(ada, channel, 'plan', 2);
    const release = holdJobs(service);
    await ada.patch(`/messages/${id}`, { topic: '✔ plan', ...WHOLE });
    await ada.patch(`/messages/${id}`, { topic: 'plan', ...WHOLE });
    await release();
    expect((await topicsOf(bo, channel)).map(({ name }: { name: string }) => name)).toEqual(['plan']);
  });
});

test('A late job of a mention leaves the policy that its reader chose since', async () => {
  const release = holdJobs(service);
  await ada.send(channel.name, 'plan', `@**Bo|${bo.userId}** look`);
  await prefer(bo, 'plan', 2);
  await release();
  expect(await preferences(bo)).toEqual([['plan', 2]]);
});
