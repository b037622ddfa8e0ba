import { beforeAll, describe, expect, test } from 'vitest';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { archiveChannel, createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { choose, drainTopicEvents, FOLLOWED, MUTED, preferencesOf } from './topic-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

const update = (client: Client, params: Params) =>
  client.patch('/users/me/subscriptions/muted_topics', params);
const SUCCESS = { result: 'success', msg: '' };

describe('An old client', () => {
  test.each(['stream', 'stream_id'])('Mutes a topic and unmutes it, by %s', async (key) => {
    const { name, channelId } = await createChannel(service, [bo]);
    const channel = { [key]: key === 'stream' ? ` ${name.toUpperCase()} ` : channelId };
    expect((await update(bo, { ...channel, topic: ' Loud ', op: 'add' })).body).toEqual(SUCCESS);
    expect(await preferencesOf(bo)).toContainEqual([channelId, 'Loud', MUTED]);
    expect((await update(bo, { ...channel, topic: 'LOUD', op: 'remove' })).body).toEqual(SUCCESS);
    expect(await preferencesOf(bo)).not.toContainEqual([channelId, 'Loud', MUTED]);
  });

  test('Gets the same events as every other client', async () => {
    const cy = await createUser(service, 'Cy');
    const { name, channelId } = await createChannel(service, [cy]);
    const queue = await cy.listen({ event_types: ['muted_topics'] });
    await update(cy, { stream: name, topic: '', op: 'add' });
    await update(cy, { stream_id: channelId, topic: '(no topic)', op: 'remove' });
    expect(await drainTopicEvents(queue)).toEqual([
      { type: 'muted_topics', muted_topics: [[name, 'general chat', expect.any(Number)]] },
      { type: 'muted_topics', muted_topics: [] },
    ]);
  });

  test('Changes nothing if the topic is muted or unmuted already', async () => {
    const { name, channelId } = await createChannel(service, [bo]);
    await choose(bo, [channelId, 'muted', MUTED], [channelId, 'followed', FOLLOWED]);
    const queue = await bo.listen();
    for (const [topic, op] of [
      ['MUTED', 'add'],
      ['nothing', 'remove'],
      ['followed', 'remove'],
    ])
      expect((await update(bo, { stream: name, topic, op })).body).toEqual(SUCCESS);
    expect(await drainTopicEvents(queue)).toEqual([]);
    expect(await preferencesOf(bo)).toContainEqual([channelId, 'followed', FOLLOWED]);
  });

  test('Mutes a topic that was followed', async () => {
    const { channelId } = await createChannel(service, [bo]);
    await choose(bo, [channelId, 'x', FOLLOWED]);
    await update(bo, { stream_id: channelId, topic: 'x', op: 'add' });
    expect(await preferencesOf(bo)).toContainEqual([channelId, 'x', MUTED]);
  });
});

describe('Muting a topic is refused', () => {
  let channelId: number;
  beforeAll(async () => {
    ({ channelId } = await createChannel(service, [bo]));
  });

  test('Without a channel', async () => {
    expectMissing(await update(bo, { topic: 'x', op: 'add' }), 'stream_id');
  });

  test.each([
    [{ op: 'mute' }, 'Invalid op'],
    [{ stream: 'room' }, 'Unsupported parameter combination: stream_id, stream'],
    [{ topic: 'x'.repeat(61) }, 'topic is too long (limit: 60 characters)'],
    [{ topic: 'a\tb' }, 'Invalid character in topic, at position 2!'],
    [{ stream_id: 999_999 }, 'Invalid channel ID'],
    [{ stream_id: 999_999, op: 'remove' }, 'Topic is not muted'],
    [{ stream_id: undefined, stream: 'no such room' }, "Invalid channel name 'no such room'"],
    [{ stream_id: undefined, stream: 'x'.repeat(5_000), op: 'remove' }, 'Topic is not muted'],
  ])('With %j', async (wrong, msg) => {
    const before = await preferencesOf(bo);
    expectRefusal(await update(bo, { stream_id: channelId, topic: 'x', op: 'add', ...wrong }), msg);
    expect(await preferencesOf(bo)).toEqual(before);
  });

  test('In a private channel for users outside, as in a missing one', async () => {
    const { name, channelId: secretId } = await createChannel(service, [ada], { invite_only: true });
    for (const client of [bo, guest, service.owner]) {
      const call = (params: Params) => update(client, { topic: 'x', ...params });
      expectRefusal(await call({ stream_id: secretId, op: 'add' }), 'Invalid channel ID');
      expectRefusal(await call({ stream: name, op: 'add' }), `Invalid channel name '${name}'`);
      expectRefusal(await call({ stream_id: secretId, op: 'remove' }), 'Topic is not muted');
      expectRefusal(await call({ stream: name, op: 'remove' }), 'Topic is not muted');
    }
  });

  test('In an archived channel, although muted topics can still be unmuted there', async () => {
    const channel = await createChannel(service, [bo]);
    await choose(bo, [channel.channelId, 'x', MUTED]);
    await archiveChannel(service, channel);
    const params = { stream_id: channel.channelId, topic: 'y', op: 'add' };
    expectRefusal(await update(bo, params), 'Invalid channel ID');
    expect((await update(bo, { stream: channel.name, topic: 'x', op: 'remove' })).status).toBe(200);
    expect(await preferencesOf(bo)).not.toContainEqual([channel.channelId, 'x', MUTED]);
  });
});

test('A removed subscriber unmutes topics of the channel by the last name that they knew', async () => {
  const cy = await createUser(service, 'Cy');
  const { name, channelId } = await createChannel(service, [ada, cy], { invite_only: true });
  await choose(cy, [channelId, 'x', MUTED]);
  await cy.delete('/users/me/subscriptions', { subscriptions: [name] });
  const { table } = service.services;
  await table.write({ kind: 'update', key: channelKeys.channel(channelId), set: { name: 'layoffs' } });
  const guard = { ...channelKeys.name('layoffs'), channelId };
  await table.write({ kind: 'put', item: guard });
  expectRefusal(await update(cy, { stream: 'layoffs', topic: 'x', op: 'remove' }), 'Topic is not muted');
  expect((await update(cy, { stream: name, topic: 'x', op: 'remove' })).body).toEqual(SUCCESS);
  expect(await preferencesOf(cy)).toEqual([]);
});
