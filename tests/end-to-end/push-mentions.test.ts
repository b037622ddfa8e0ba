import { beforeEach, describe, expect, test } from 'vitest';
import { createGroup, newName } from '#tests/api/user-groups/group-calls.ts';
import type { Params } from '#tests/harness/client.ts';
import { addPhone, attachRelay } from '#tests/harness/relay.ts';
import { createChannel, createUsers, type TestChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

let channel: TestChannel;
const service = await startTestService();
const relay = await attachRelay(service);
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const phone = await addPhone(service, ada);

/** Ada has a telephone; Bo writes. */
beforeEach(async () => {
  channel = await createChannel(service, [ada, bo]);
  await settings({
    enable_offline_push_notifications: true,
    // A followed topic is a reason of its own.
    automatically_follow_topics_where_mentioned: false,
    wildcard_mentions_notify: true,
    enable_followed_topic_push_notifications: true,
    enable_followed_topic_wildcard_mentions_notify: true,
  });
  relay.received = [];
});

const contents = async () => {
  await service.settle();
  return relay.sentTo(phone).map(({ content }) => content);
};
/** The worker reads the settings when it comes to a message, so a user who changes them waits for it. */
const afterwards = async (path: string, method: 'patch' | 'post', params: Params) => {
  await service.settle();
  await ada[method](path, params);
};
const settings = (values: Params) => afterwards('/settings', 'patch', values);
const post = (content: string, topic = 'topic') => bo.send(channel.name, topic, content);
const named = (word: string) => post(`${word} @**|${ada.userId}**`);
const wishFor = (policy: number, topic = 'topic') =>
  afterwards('/user_topics', 'post', { stream_id: channel.channelId, topic, visibility_policy: policy });
const channelWish = (property: string, value: boolean) =>
  afterwards('/users/me/subscriptions/properties', 'post', {
    subscription_data: [{ stream_id: channel.channelId, property, value }],
  });

describe('The notification of a mention', () => {
  test('Appears on their devices, for every type of mention', async () => {
    const name = newName('pushed');
    await createGroup(bo, [ada], { name });
    await named('one');
    await post(`two @*${name}*`);
    await post('three @**all**');
    await ada.send(channel.name, 'topic', 'I was here');
    await post('four @**topic**');
    await post('five');
    await post(`six @_**|${ada.userId}** @_**all**`);
    expect((await contents()).map((content) => content.split(' ')[0])).toEqual([
      'one',
      'two',
      'three',
      'four',
    ]);
  });

  test('Does not appear if they turned it off, nor does that of a direct message', async () => {
    await settings({ enable_offline_push_notifications: false });
    await named('one');
    await post('two @**all**');
    await bo.sendDirect([ada.userId], 'three');
    expect(await contents()).toEqual([]);
  });

  test('Appears in a muted topic or channel by name, and by a wildcard only if it is unmuted', async () => {
    await wishFor(1);
    await named('one');
    await post('two @**all**');
    await wishFor(0);
    await channelWish('is_muted', true);
    await named('three');
    await post('four @**all**');
    await wishFor(2);
    await post('five @**all**');
    expect((await contents()).map((content) => content.split(' ')[0])).toEqual(['one', 'three', 'five']);
  });

  test('Follows by a wildcard the setting of the channel first, and then the general one', async () => {
    await settings({ wildcard_mentions_notify: false });
    await post('one @**all**');
    await channelWish('wildcard_mentions_notify', true);
    await post('two @**all**');
    await settings({ wildcard_mentions_notify: true });
    await channelWish('wildcard_mentions_notify', false);
    await post('three @**all**');
    await named('four');
    expect((await contents()).map((content) => content.split(' ')[0])).toEqual(['two', 'four']);
  });

  test('Follows by a wildcard in a followed topic the setting for those', async () => {
    await settings({ wildcard_mentions_notify: false, enable_followed_topic_push_notifications: false });
    await wishFor(3);
    await post('one @**all**');
    await settings({ enable_followed_topic_wildcard_mentions_notify: false });
    await post('two @**all**');
    expect(await contents()).toEqual(['one @all']);
  });

  test('Does not appear to a user without a subscription', async () => {
    await ada.request('DELETE', '/users/me/subscriptions', { subscriptions: [channel.name] }, {});
    await named('one');
    expect(await contents()).toEqual([]);
  });
});

describe('The notification of an edit', () => {
  const edit = (id: number, content: string) => bo.patch(`/messages/${id}`, { content });

  test('Goes to users whom the text did not mention before, once', async () => {
    const id = await post('hi');
    await service.settle();
    await edit(id, `hi @**|${ada.userId}**`);
    expect(await contents()).toEqual(['hi @Ada']);
    await edit(id, `hello @**|${ada.userId}** @**all**`);
    await edit(id, 'nobody');
    expect(await contents()).toEqual(['hi @Ada']);
  });

  test('Does not go to a user who has read the message', async () => {
    const id = await post('hi');
    await ada.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' });
    await edit(id, `hi @**|${ada.userId}**`);
    expect(await contents()).toEqual([]);
  });

  test('Merges with that of the message if both come together', async () => {
    const id = await bo.sendDirect([ada.userId], 'psst');
    await edit(id, `psst @**|${ada.userId}**`);
    expect(await contents()).toHaveLength(1);
  });
});
