import { beforeEach, describe, expect, test } from 'vitest';
import { deliverScheduledMessage } from '#functions/workers/deliver-scheduled-message.ts';
import { inSeconds, schedule } from '#tests/api/scheduled-messages/schedules.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { addPhone, attachRelay, type Phone } from '#tests/harness/relay.ts';
import { createChannel, createUser, createUsers, type TestChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const AHEAD_SECONDS = 300;

let ada: Client;
let bo: Client;
let phone: Phone;
let channel: TestChannel;
const service = await startTestService();
const relay = await attachRelay(service);

/** Ada has a telephone; Bo writes. */
beforeEach(async () => {
  [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  phone = await addPhone(service, ada);
  channel = await createChannel(service, [ada, bo]);
  relay.received = [];
});

const shown = async (one = phone) => {
  await service.settle();
  return relay.sentTo(one);
};
const contents = async (one = phone) => (await shown(one)).map(({ content }) => content);
const settings = (client: Client, values: Params) => client.patch('/settings', values);
const say = (content: string, topic = 'plans') => bo.send(channel.name, topic, content);
const wantChannel = (property: string, value: boolean) =>
  ada.post('/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channel.channelId, property, value }],
  });
const setTopic = (topic: string, visibility_policy: number) =>
  ada.post('/user_topics', { stream_id: channel.channelId, topic, visibility_policy });

describe('The notification of a direct message', () => {
  test('Appears on every device of its recipient, and on none of its sender', async () => {
    const others = [await addPhone(service, ada, 'apns'), await addPhone(service, bo)] as const;
    const id = await bo.sendDirect([ada.userId], 'a **bold** *word* & more');
    const { realm_name, realm_url } = (await ada.register({ fetch_event_types: ['realm'] })).snapshot;
    expect(await shown()).toEqual([
      {
        type: 'message',
        realm_name,
        realm_url,
        user_id: ada.userId,
        message_id: id,
        sender_id: bo.userId,
        sender_full_name: 'Bo',
        sender_avatar_url: expect.stringMatching(/^http:.*\/user_avatars\/.*\.png$/),
        time: expect.any(Number),
        content: 'a bold word & more',
        recipient_type: 'direct',
        recipient_user_ids: [ada.userId, bo.userId],
      },
    ]);
    expect(await contents(others[0])).toEqual(['a bold word & more']);
    expect(await contents(others[1])).toEqual([]);
  });

  test('Names all people if there are several', async () => {
    const cy = await createUser(service, 'Cy');
    await bo.sendDirect([ada.userId, cy.userId], 'hello');
    const userIds = [ada.userId, bo.userId, cy.userId];
    expect(await shown()).toMatchObject([{ recipient_user_ids: userIds, pm_users: userIds.join(',') }]);
  });

  test('Ends after 200 characters', async () => {
    await bo.sendDirect([ada.userId], '😀'.repeat(201));
    expect(await contents()).toEqual([`${'😀'.repeat(200)}…`]);
  });

  test('Names sound and custom emoji by their names', async () => {
    const form = new FormData();
    form.append('file', new Blob(['x'], { type: 'audio/mpeg' }), 'song.mp3');
    const { url } = (await bo.post('/user_uploads', {}, { rawBody: form })).body;
    await bo.sendDirect([ada.userId], `listen: ![my **song**](${url}) :zulip:`);
    expect(await contents()).toEqual(['listen: my song :zulip:']);
  });

  test('Does not appear for a note to oneself', async () => {
    await ada.sendDirect([ada.userId], 'note');
    expect(await contents()).toEqual([]);
  });

  test('Does not appear for a sender that the recipient muted', async () => {
    await ada.post(`/users/me/muted_users/${bo.userId}`);
    await bo.sendDirect([ada.userId], 'hello');
    expect(await contents()).toEqual([]);
  });

  test('Appears for a scheduled message when it is delivered', async () => {
    const scheduled_delivery_timestamp = inSeconds(AHEAD_SECONDS);
    const scheduledMessageId = await schedule(bo, {
      type: 'direct',
      to: [ada.userId],
      scheduled_delivery_timestamp,
    });
    service.advance(AHEAD_SECONDS * 1000);
    await deliverScheduledMessage(service.services, { userId: bo.userId, scheduledMessageId });
    expect(await contents()).toEqual(['later']);
  });
});

describe('The notification of a channel message', () => {
  test('Does not appear for users who turned all of them off', async () => {
    await say('hello');
    expect(await contents()).toEqual([]);
  });

  test('Appears if the user turned on all channels', async () => {
    await settings(ada, { enable_stream_push_notifications: true });
    const id = await say('hello');
    expect(await shown()).toMatchObject([
      {
        message_id: id,
        content: 'hello',
        recipient_type: 'channel',
        channel_id: channel.channelId,
        channel_name: channel.name,
        topic: 'plans',
      },
    ]);
  });

  test('Appears if the user turned on this channel, and not if they turned on all but this', async () => {
    await wantChannel('push_notifications', true);
    await say('first');
    await service.settle();
    await settings(ada, { enable_stream_push_notifications: true });
    await wantChannel('push_notifications', false);
    await say('second');
    expect(await contents()).toEqual(['first']);
  });

  test('Appears in a topic that the user follows, however it is spelled', async () => {
    await setTopic('Plans', 3);
    await say('hello');
    await say('other', 'another topic');
    expect(await contents()).toEqual(['hello']);
  });

  test('Does not appear in a followed topic if the user turned that off', async () => {
    await setTopic('plans', 3);
    await settings(ada, { enable_followed_topic_push_notifications: false });
    await say('hello');
    expect(await contents()).toEqual([]);
  });

  test('Does not appear in a muted topic or channel, unless the topic is unmuted or followed', async () => {
    await wantChannel('push_notifications', true);
    await setTopic('noise', 1);
    await say('muted topic', 'noise');
    await wantChannel('is_muted', true);
    await say('muted channel', 'plans');
    await setTopic('unmuted', 2);
    await say('unmuted topic', 'unmuted');
    await setTopic('followed', 3);
    await say('followed topic', 'followed');
    expect(await contents()).toEqual(['unmuted topic', 'followed topic']);
  });

  test('Does not appear for users who left, nor for later subscribers', async () => {
    await settings(ada, { enable_stream_push_notifications: true });
    await ada.delete('/users/me/subscriptions', { subscriptions: [channel.name] });
    await service.settle();
    relay.received = [];
    await say('without Ada');
    await service.settle();
    await ada.subscribe(channel.name);
    await service.settle();
    expect(await contents()).not.toContain('without Ada');
    await say('with Ada');
    expect(await contents()).toContain('with Ada');
  });

  test('Does not appear for the sender', async () => {
    await settings(ada, { enable_stream_push_notifications: true });
    await ada.send(channel.name, 'plans', 'mine');
    expect(await contents()).toEqual([]);
  });
});

describe('A device', () => {
  test('Shows nothing after it was removed, or after its owner was deactivated', async () => {
    const kept = await addPhone(service, ada);
    await ada.post('/remove_client_device', { device_id: phone.deviceId });
    await bo.sendDirect([ada.userId], 'first');
    expect(await contents()).toEqual([]);
    expect(await contents(kept)).toEqual(['first']);
    await setTopic('plans', 3);
    await service.deactivate(ada);
    await say('second');
    expect(await contents(kept)).toEqual(['first']);
  });

  test('Disappears if its token is dead, and its client is notified', async () => {
    relay.deadTokenIds.push(phone.tokenId);
    const queue = await ada.listen({ event_types: ['device'] });
    await bo.sendDirect([ada.userId], 'first');
    await service.settle();
    expect(await queue.drain()).toMatchObject([
      { type: 'device', op: 'update', device_id: phone.deviceId, push_token_id: null },
    ]);
    await bo.sendDirect([ada.userId], 'second');
    expect(await contents()).toEqual(['first']);
  });

  test('Gets later messages after it registers again', async () => {
    relay.deadTokenIds.push(phone.tokenId);
    await bo.sendDirect([ada.userId], 'first');
    await service.settle();
    relay.deadTokenIds = [];
    relay.received = [];
    await ada.post('/mobile_push/register', phone.fields);
    await service.settle();
    await bo.sendDirect([ada.userId], 'second');
    expect(await contents()).toEqual(['second']);
  });
});

describe('The notification of a message that was read elsewhere', () => {
  const readBy = (id: number) => ada.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' });

  test('Disappears from devices that show it, once', async () => {
    const [first, second] = [
      await bo.sendDirect([ada.userId], 'one'),
      await bo.sendDirect([ada.userId], 'two'),
    ];
    await service.settle();
    await readBy(first);
    await readBy(first);
    expect((await shown()).slice(2)).toEqual([
      {
        type: 'remove',
        realm_name: expect.any(String),
        realm_url: expect.any(String),
        user_id: ada.userId,
        message_ids: [first],
      },
    ]);
    await ada.post('/mark_all_as_read');
    expect((await shown()).at(-1)).toMatchObject({ type: 'remove', message_ids: [second] });
    expect(relay.requestsFor(phone).at(-1)).toMatchObject({ fcm_priority: 'normal' });
  });

  test('Disappears silently from devices of Apple', async () => {
    const apple = await addPhone(service, ada, 'apns');
    const id = await bo.sendDirect([ada.userId], 'one');
    await service.settle();
    await readBy(id);
    await service.settle();
    expect(relay.requestsFor(apple).at(-1)).toMatchObject({
      http_headers: { apns_priority: 5, apns_push_type: 'background' },
      payload: { aps: { 'content-available': 1 } },
    });
  });

  test('Disappears as well if the message was deleted, or moved out of sight', async () => {
    await wantChannel('push_notifications', true);
    const hidden = await createChannel(service, [bo], { invite_only: true });
    const direct = await bo.sendDirect([ada.userId], 'one');
    const [deleted, moved] = [await say('two'), await say('three')];
    expect(await shown()).toHaveLength(3);
    await bo.delete(`/messages/${direct}`);
    await bo.delete(`/messages/${deleted}`);
    await bo.patch(`/messages/${moved}`, { stream_id: hidden.channelId });
    const removed = (await shown()).slice(3).flatMap(({ message_ids: ids }) => ids as number[]);
    expect(removed.sort((a, b) => a - b)).toEqual([direct, deleted, moved]);
  });

  test('Causes nothing if it was never shown', async () => {
    const id = await say('quiet');
    await readBy(id);
    expect(await shown()).toEqual([]);
  });
});
