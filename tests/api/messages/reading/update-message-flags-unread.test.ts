import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { flag, flagEvents, flagsFor, unreadOf } from './flags.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', roles.guest);

describe('Marking as unread', () => {
  test('Returns the places of the messages, in the form that the client supports', async () => {
    const { name, channelId } = await createChannel(service, [ada, bo, guest]);
    const inTopic = await ada.send(name, '', '1', { read_by_sender: true });
    const direct = await ada.sendDirect([bo.userId], '2');
    const group = await ada.sendDirect([guest.userId, bo.userId], '3');
    const note = await bo.sendDirect([bo.userId], '4', { read_by_sender: true });
    await bo.post('/mark_all_as_read');
    const plain = await bo.listen();
    const modern = await bo.listen({ client_capabilities: { empty_topic_name: true } });
    await flag(bo, [note, inTopic, group, direct], 'remove', 'read');
    const event = (topic: string) => ({
      type: 'update_message_flags',
      op: 'remove',
      operation: 'remove',
      flag: 'read',
      messages: [inTopic, direct, group, note],
      all: false,
      message_details: {
        [inTopic]: { type: 'stream', stream_id: channelId, topic, unmuted_stream_msg: true },
        [direct]: { type: 'private', user_ids: [ada.userId] },
        [group]: { type: 'private', user_ids: [ada.userId, guest.userId] },
        [note]: { type: 'private', user_ids: [] },
      },
    });
    expect(flagEvents(await plain.drain())).toEqual([event('general chat')]);
    expect(flagEvents(await modern.drain())).toEqual([event('')]);
    expect(await unreadOf(bo)).toEqual([inTopic, direct, group, note]);
    for (const id of [inTopic, direct, group, note]) expect(await flagsFor(bo, id)).toEqual([]);
  });

  test('Returns whether the channel is muted, and a muted one is listed but not counted', async () => {
    const { name, channelId } = await createChannel(service, [ada, bo]);
    const id = await ada.send(name, 'a', '1');
    await bo.post('/mark_all_as_read');
    await service.services.table.write({
      kind: 'update',
      key: channelKeys.subscription(bo.userId, channelId),
      set: { isMuted: true },
    });
    const queue = await bo.listen();
    await flag(bo, [id], 'remove', 'read');
    const [event] = flagEvents(await queue.drain());
    expect(event?.message_details[id].unmuted_stream_msg).toBe(false);
    const { unread_msgs } = (await bo.register()).snapshot;
    expect(unread_msgs.count).toBe(0);
    expect(unread_msgs.streams).toEqual([{ stream_id: channelId, topic: 'a', unread_message_ids: [id] }]);
  });

  test('Returns whether the topic is muted, whatever its channel is', async () => {
    const { name, channelId } = await createChannel(service, [ada, bo]);
    const [loud, quiet] = [await ada.send(name, 'loud', '1'), await ada.send(name, 'quiet', '2')];
    await bo.post('/mark_all_as_read');
    await bo.post('/user_topics', { stream_id: channelId, topic: 'QUIET', visibility_policy: 1 });
    const queue = await bo.listen();
    await flag(bo, [loud, quiet], 'remove', 'read');
    const [event] = flagEvents(await queue.drain());
    expect(event?.message_details[loud].unmuted_stream_msg).toBe(true);
    expect(event?.message_details[quiet].unmuted_stream_msg).toBe(false);
    expect((await bo.register()).snapshot.unread_msgs.count).toBe(1);
  });

  test('Works for the caller’s own messages, and for those from before the subscription', async () => {
    const { name } = await createChannel(service, [ada]);
    const before = await ada.send(name, 'a', 'before');
    await bo.subscribe(name);
    const own = await bo.send(name, 'a', 'own', { read_by_sender: true });
    expect(await flagsFor(bo, before)).toEqual(['read', 'historical']);
    expect(await flagsFor(bo, own)).toEqual(['read']);
    await flag(bo, [before, own], 'remove', 'read');
    expect(await flagsFor(bo, before)).toEqual(['historical']);
    expect(await flagsFor(bo, own)).toEqual([]);
    expect(await unreadOf(bo)).toEqual(expect.arrayContaining([before, own]));
    await flag(bo, [before, own], 'add', 'read');
    expect(await unreadOf(bo)).not.toEqual(expect.arrayContaining([before]));
    expect(await flagsFor(bo, own)).toEqual(['read']);
  });

  test('Has no effect in channels to which the caller is not subscribed', async () => {
    const { name, channelId } = await createChannel(service, [ada]);
    const left = await createChannel(service, [ada, bo]);
    // The channel that was created later has the older message.
    const ids = [await ada.send(left.name, 'a', '1'), await ada.send(name, 'a', '2')];
    await bo.delete('/users/me/subscriptions', { subscriptions: [left.name] });
    await service.settle();
    const queue = await bo.listen();
    const { body } = await flag(bo, ids, 'remove', 'read');
    expect(body.ignored_because_not_subscribed_channels).toEqual([channelId, left.channelId]);
    expect(await queue.drain()).toEqual([]);
    expect((await flag(bo, ids, 'add', 'read')).body.ignored_because_not_subscribed_channels).toEqual([]);
  });

  test('Reveals nothing of private channels that the caller may not know', async () => {
    const { name } = await createChannel(service, [ada], { invite_only: true });
    const secret = await ada.send(name, 'a', 'secret');
    for (const id of [secret, 2_147_483_646]) {
      const { body } = await flag(bo, [id], 'remove', 'read');
      expect(body.ignored_because_not_subscribed_channels).toEqual([]);
    }
  });

  test('Ends if the reader leaves the channel', async () => {
    const { name } = await createChannel(service, [ada]);
    const before = await ada.send(name, 'a', 'before');
    await bo.subscribe(name);
    const received = await ada.send(name, 'a', 'received');
    await bo.post('/mark_all_as_read');
    await flag(bo, [before, received], 'remove', 'read');
    const later = await ada.send(name, 'a', 'later');
    await expectConsistentSnapshot(service, [bo], async () => {
      await bo.delete('/users/me/subscriptions', { subscriptions: [name] });
    });
    await bo.subscribe(name);
    for (const id of [before, received, later]) expect(await unreadOf(bo)).not.toContain(id);
  });
});
