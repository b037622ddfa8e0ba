import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { messageIndex, messageKeys } from '#shared/table/keys/log.ts';
import { subscribeInBulk } from '#tests/harness/bulk-people.ts';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { flagsOf } from '../alert-words/alert-word-calls.ts';
import { HOUR, inSeconds } from '../scheduled-messages/schedules.ts';
import { createGroup, deactivate, newName, people } from '../user-groups/group-calls.ts';
import { edit, read } from './message-changes.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);
const moderator = await createUser(service, 'Moderator', 300);
const administrator = await createUser(service, 'Administrator', 200);
const everyone: [Client, ...Client[]] = [ada, bo, guest, moderator, administrator];
const room = await createChannel(service, everyone);
const hall = await createChannel(service, everyone);
await subscribeInBulk(service, room.channelId, 10);
await subscribeInBulk(service, hall.channelId, 11);

const CHANNEL = 'You do not have permission to use channel wildcard mentions in this channel.';
const TOPIC = 'You do not have permission to use topic wildcard mentions in this topic.';
const channelRefusal = { code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED' };
const topicRefusal = { code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED' };

const send = (sender: Client, content: string, to = hall, topic = 'topic'): Promise<Reply> =>
  sender.post('/messages', { type: 'channel', to: to.channelId, topic, content });
const schedule = (sender: Client, content: string, params: Params = {}): Promise<Reply> =>
  sender.post('/scheduled_messages', {
    type: 'channel',
    to: hall.channelId,
    topic: 'topic',
    content,
    scheduled_delivery_timestamp: inSeconds(HOUR),
    ...params,
  });
const allowMany = (value: number) =>
  service.owner.patch('/realm', { can_mention_many_users_group: { new: value } });

describe('Mentioning everyone in a channel of more than 15 subscribers', () => {
  test('Requires the group that the organization sets', async () => {
    for (const sender of [guest, ada, moderator])
      expectRefusal(await send(sender, '@**all**'), CHANNEL, channelRefusal);
    expect((await send(administrator, '@**all**')).status).toBe(200);
    await allowMany(7);
    expect((await send(guest, '@**channel**')).status).toBe(200);
    await allowMany(3);
    expectRefusal(await send(ada, 'so @**everyone** knows'), CHANNEL, channelRefusal);
  });

  test('Works for everyone in smaller channels and in conversations', async () => {
    const { body } = await send(guest, '@**all**', room);
    for (const id of [body.id, await ada.sendDirect([bo.userId], '@**all**')])
      expect(await flagsOf(bo, id)).toEqual(['stream_wildcard_mentioned', 'wildcard_mentioned']);
  });
});

describe('Mentioning everyone in a topic of more than 15 participants', () => {
  /** As if this many people had reacted to a message. */
  async function reactToo({ messageId, topic, count }: { messageId: number; topic: string; count: number }) {
    await ada.post(`/messages/${messageId}/reactions`, { emoji_name: 'tada' });
    const place = messageIndex.topic(room.channelId, topic);
    const reactors = Array.from({ length: count }, (_, n) => [`u${2_000_000 + n}`, 1]);
    const key = messageKeys.reactions(place, { messageId, emoji: 'unicode_emoji#1f389' }, ada.userId);
    await service.services.table.write({ kind: 'update', key, set: Object.fromEntries(reactors) });
  }

  test('Requires the group that the organization sets', async () => {
    const messageId = await bo.send(room.channelId, 'crowded', 'hi');
    await reactToo({ messageId, topic: 'crowded', count: 13 });
    expect((await send(ada, '@**topic**', room, 'crowded')).status).toBe(200);
    expectRefusal(await send(guest, '@**topic**', room, 'Crowded'), TOPIC, topicRefusal);
    expect((await send(ada, '@**topic**', room, 'another')).status).toBe(200);
    expect((await send(ada, '@_**topic**', room, 'crowded')).status).toBe(200);
    expect((await send(administrator, '@**topic**', room, 'crowded')).status).toBe(200);
    expectRefusal(await send(ada, '@**topic**', room, 'crowded'), TOPIC, topicRefusal);
  });
});

const refused = (name: string) => `You are not allowed to mention user group '${name}'.`;

describe('Mentioning a group', () => {
  test('Requires the group that the mentioned group sets', async () => {
    const name = newName('closed');
    await createGroup(ada, [bo], { name, can_mention_group: people(ada) });
    for (const sender of [bo, guest, administrator, service.owner])
      expectRefusal(await send(sender, `@*${name}*`, room), refused(name));
    const { body } = await send(ada, `@*${name}*`, room);
    expect(await flagsOf(bo, body.id)).toEqual(['mentioned']);
    expect((await send(bo, `@_*${name}*`, room)).status).toBe(200);
    const direct = { type: 'direct', to: [ada.userId], content: `@*${name}*` };
    expectRefusal(await bo.post('/messages', direct), refused(name));
  });

  test('Requires membership if members may', async () => {
    const name = newName('own');
    const groupId = await createGroup(ada, [bo], { name });
    await ada.patch(`/user_groups/${groupId}`, { can_mention_group: { new: groupId } });
    expect((await send(bo, `@*${name}*`, room)).status).toBe(200);
    expectRefusal(await send(guest, `@*${name}*`, room), refused(name));
  });

  test('Fails for system groups', async () => {
    for (const sender of [service.owner, guest])
      expectRefusal(await send(sender, '@*role:everyone*', room), refused('role:everyone'));
  });

  test('Notifies no one and needs no permission if the group is deactivated', async () => {
    const name = newName('gone');
    const groupId = await createGroup(ada, [bo], { name, can_mention_group: people(ada) });
    expect((await deactivate(ada, groupId)).status).toBe(200);
    const { body } = await send(guest, `@*${name}*`, room);
    expect(await flagsOf(bo, body.id)).toEqual([]);
  });
});

describe('An edit with mentions', () => {
  test('Requires the same permissions again, and changes nothing without them', async () => {
    const name = newName('edited');
    await createGroup(ada, [], { name, can_mention_group: people(ada) });
    const messageId = (await send(bo, 'hi')).body.id;
    const before = await read(bo, messageId);
    expectRefusal(await edit(bo, messageId, { content: '@**all**' }), CHANNEL, channelRefusal);
    expectRefusal(await edit(bo, messageId, { content: `@*${name}*` }), refused(name));
    const both = { content: '@**all**', topic: 'elsewhere' };
    expectRefusal(await edit(bo, messageId, both), CHANNEL, channelRefusal);
    expect(await read(bo, messageId)).toEqual(before);
    const call = (await send(administrator, '@**all** a')).body.id;
    expect((await edit(administrator, call, { content: '@**all** b' })).status).toBe(200);
  });
});

describe('A scheduled message with mentions', () => {
  test('Requires its sender’s permission when it is scheduled and changed', async () => {
    expectRefusal(await schedule(ada, '@**all**'), CHANNEL, channelRefusal);
    const { body } = await schedule(ada, 'hi');
    const path = `/scheduled_messages/${body.scheduled_message_id}`;
    expectRefusal(await ada.patch(path, { content: '@**all**' }), CHANNEL, channelRefusal);
    const small = await schedule(ada, '@**all**', { to: room.channelId });
    expect(small.status).toBe(200);
    const other = `/scheduled_messages/${small.body.scheduled_message_id}`;
    expectRefusal(await ada.patch(other, { to: hall.channelId, type: 'channel' }), CHANNEL, channelRefusal);
    expect((await ada.patch(other, { scheduled_delivery_timestamp: inSeconds(HOUR + 60) })).status).toBe(200);
  });

  test('Fails if its sender lacks the permission when it is due, and mentions everyone otherwise', async () => {
    await allowMany(7);
    await schedule(guest, '@**all** late');
    await schedule(administrator, '@**all** due');
    await allowMany(3);
    service.advance(3_700_000);
    const queue = await bo.listen({ event_types: ['message'] });
    await sweep(service.services);
    await service.settle();
    const [failed] = (await guest.get('/scheduled_messages')).body.scheduled_messages;
    expect(failed).toMatchObject({ content: '@**all** late', failed: true });
    const received = (await queue.drain()).filter(
      ({ message }) => message.sender_id === administrator.userId,
    );
    expect(received).toMatchObject([{ flags: ['stream_wildcard_mentioned', 'wildcard_mentioned'] }]);
  });
});
