// The operations setTopicPolicy and updateMutedTopic.
import { beforeAll, describe, expect, test } from 'vitest';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { archiveChannel, createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import {
  choose,
  drainTopicEvents,
  FOLLOWED,
  INHERITED,
  MUTED,
  preferencesOf,
  setPolicy,
  UNMUTED,
} from './topic-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

const UNKNOWN = 'Invalid channel ID';
const SUCCESS = { result: 'success', msg: '' };

describe('A topic policy', () => {
  let room: number;
  beforeAll(async () => {
    room = (await createChannel(service, [bo, guest])).channelId;
  });

  test.each([[MUTED], [UNMUTED], [FOLLOWED]])(
    'Can be set to %i, for that user and topic only',
    proves('set-topic-policy.1', 'set-topic-policy.2', 'set-topic-policy.7', 'set-topic-policy.10'),
    async (policy) => {
      const before = await preferencesOf(bo);
      const { status, body } = await setPolicy(guest, room, 'lunch', policy);
      expect({ status, body }).toEqual({ status: 200, body: SUCCESS });
      expect(await preferencesOf(guest)).toContainEqual([room, 'lunch', policy]);
      expect(await preferencesOf(bo)).toEqual(before);
      await choose(guest, [room, 'lunch', INHERITED]);
    },
  );

  test('Can change from each value to each other', proves('set-topic-policy.11'), async () => {
    const { channelId } = await createChannel(service, [bo]);
    const values = [MUTED, UNMUTED, FOLLOWED, MUTED, FOLLOWED, UNMUTED, MUTED, INHERITED, INHERITED];
    for (const value of values) {
      await choose(bo, [channelId, 'x', value]);
      const kept = (await preferencesOf(bo)).filter(([id]) => id === channelId);
      expect(kept).toEqual(value === INHERITED ? [] : [[channelId, 'x', value]]);
    }
  });

  test('Matches in any letter case, and keeps the first spelling until it is removed', async () => {
    const { channelId } = await createChannel(service, [bo]);
    const mine = async () => (await preferencesOf(bo)).filter(([id]) => id === channelId);
    await choose(bo, [channelId, 'Straße É', MUTED], [channelId, '  straße e\u0301 ', FOLLOWED]);
    expect(await mine()).toEqual([[channelId, 'Straße É', FOLLOWED]]);
    await choose(bo, [channelId, 'STRAßE É', INHERITED]);
    expect(await mine()).toEqual([]);
    await choose(bo, [channelId, 'straße é', MUTED]);
    expect(await mine()).toEqual([[channelId, 'straße é', MUTED]]);
  });

  test.each(['', '   ', '(no topic)', ' general chat '])(
    'Belongs for the topic %j to the empty topic',
    proves('set-topic-policy.12'),
    async (topic) => {
      await choose(bo, [room, topic, MUTED]);
      expect(await preferencesOf(bo)).toContainEqual([room, '', MUTED]);
      await choose(bo, [room, topic, INHERITED]);
      expect(await preferencesOf(bo)).not.toContainEqual([room, '', MUTED]);
    },
  );

  test(
    'May have a topic of any 60 characters',
    proves('set-topic-policy.5', 'set-topic-policy.6'),
    async () => {
      const { channelId } = await createChannel(service, [bo]);
      const topic = '🧱'.repeat(60);
      await choose(bo, [channelId, ` ${topic} `, MUTED]);
      expect(await preferencesOf(bo)).toContainEqual([channelId, topic, MUTED]);
    },
  );

  test('Outlives the subscription', async () => {
    const { name, channelId } = await createChannel(service, [bo, guest]);
    await choose(bo, [channelId, 'x', MUTED]);
    await choose(guest, [channelId, 'x', FOLLOWED]);
    for (const client of [bo, guest])
      await client.delete('/users/me/subscriptions', { subscriptions: [name] });
    expect(await preferencesOf(bo)).toContainEqual([channelId, 'x', MUTED]);
    expect(await preferencesOf(guest)).toContainEqual([channelId, 'x', FOLLOWED]);
  });
});

describe('Setting a topic policy', () => {
  let channelId: number;
  beforeAll(async () => {
    ({ channelId } = await createChannel(service, [bo]));
  });

  test.each([
    [{ visibility_policy: 4 }, 'Invalid visibility_policy'],
    [{ visibility_policy: -1 }, 'Invalid visibility_policy'],
    [{ topic: 'x'.repeat(61) }, 'topic is too long (limit: 60 characters)'],
    [{ topic: 'a\u0000b' }, 'Invalid character in topic, at position 2!'],
    [{ stream_id: 999_999 }, UNKNOWN],
    [{ stream_id: -1 }, UNKNOWN],
  ])(
    'Refuses %j',
    proves('set-topic-policy.3', 'set-topic-policy.4', 'set-topic-policy.6', 'set-topic-policy.7'),
    async (wrong, msg) => {
      const before = await preferencesOf(bo);
      const params = { stream_id: channelId, topic: 'x', visibility_policy: 1, ...wrong };
      expectRefusal(await bo.post('/user_topics', params), msg);
      expect(await preferencesOf(bo)).toEqual(before);
    },
  );
});

describe('The channel of a topic policy', () => {
  const everyPolicy = [INHERITED, MUTED, UNMUTED, FOLLOWED];

  test('May be public for members without a subscription, and not for guests', async () => {
    const { channelId } = await createChannel(service, [ada]);
    for (const policy of everyPolicy) {
      expect((await setPolicy(bo, channelId, 'x', policy)).status).toBe(200);
      expectRefusal(await setPolicy(guest, channelId, 'x', policy), UNKNOWN);
    }
  });

  test('Gets no new policies from removed subscribers, who can still remove old ones', async () => {
    const { name, channelId } = await createChannel(service, [ada, bo], { invite_only: true });
    await choose(bo, [channelId, 'x', MUTED]);
    for (const user of [ada, bo]) await user.delete('/users/me/subscriptions', { subscriptions: [name] });
    expectRefusal(await setPolicy(bo, channelId, 'x', FOLLOWED), UNKNOWN);
    expectRefusal(await setPolicy(bo, channelId, 'y', INHERITED), UNKNOWN);
    await choose(bo, [channelId, 'X', INHERITED]);
    expectRefusal(await setPolicy(bo, channelId, 'x', INHERITED), UNKNOWN);
  });

  test('Gets no new policies if it is archived, but old ones can be removed', async () => {
    const channel = await createChannel(service, [bo]);
    await choose(bo, [channel.channelId, 'x', MUTED]);
    await archiveChannel(service, channel);
    for (const policy of [MUTED, UNMUTED, FOLLOWED])
      expectRefusal(await setPolicy(bo, channel.channelId, 'x', policy), UNKNOWN);
    expect(await preferencesOf(bo)).toContainEqual([channel.channelId, 'x', MUTED]);
    await choose(bo, [channel.channelId, 'x', INHERITED], [channel.channelId, 'x', INHERITED]);
    expect(await preferencesOf(bo)).not.toContainEqual([channel.channelId, 'x', MUTED]);
  });
});

test('Snapshot and events agree when people of every role set, change and remove policies', async () => {
  const secret = await createChannel(service, [ada, bo, guest], { invite_only: true });
  const { channelId, name } = await createChannel(service, [ada, bo, guest, service.owner]);
  await choose(guest, [channelId, 'old', MUTED]);
  await expectConsistentSnapshot(service, [service.owner, bo, guest], async () => {
    await ada.send(name, 'Loud', 'one');
    await choose(service.owner, [channelId, 'loud', MUTED]);
    await choose(guest, [channelId, 'old', FOLLOWED], [channelId, 'LOUD', MUTED], [channelId, '', MUTED]);
    await choose(bo, [channelId, 'loud', MUTED], [channelId, 'loud', INHERITED], [channelId, 'b', MUTED]);
    await choose(bo, [secret.channelId, 'plan', MUTED], [secret.channelId, 'other', UNMUTED]);
    await ada.send(name, 'loud', 'two');
    await ada.send(secret.name, 'plan', 'three');
    await ada.send(name, '', 'four');
    await bo.delete('/users/me/subscriptions', { subscriptions: [secret.name] });
    await choose(bo, [channelId, 'b', FOLLOWED]);
  });
});

const update = (client: Client, params: Params) =>
  client.patch('/users/me/subscriptions/muted_topics', params);

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
    expect((await update(bo, { stream: name, topic: 'MUTED', op: 'add' })).body).toEqual(SUCCESS);
    for (const topic of ['nothing', 'followed'])
      expect((await update(bo, { stream: name, topic, op: 'remove' })).body).toEqual(SUCCESS);
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
    expectMissing(await update(bo, { topic: 'x', op: 'add' }), 'stream_id');
  });

  test('In a private channel for users outside, as in a missing one', async () => {
    const { name, channelId: secretId } = await createChannel(service, [ada], { invite_only: true });
    for (const client of [bo, guest, service.owner]) {
      const call = (params: Params) => update(client, { topic: 'x', ...params });
      expectRefusal(await call({ stream_id: secretId, op: 'add' }), 'Invalid channel ID');
      expectRefusal(await call({ stream: name, op: 'add' }), `Invalid channel name '${name}'`);
      for (const channel of [{ stream_id: secretId }, { stream: name }])
        expectRefusal(await call({ ...channel, op: 'remove' }), 'Topic is not muted');
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
