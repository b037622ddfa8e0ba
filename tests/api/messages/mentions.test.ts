import { beforeAll, describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { groupKeys } from '#shared/table/keys/groups.ts';
import { memberChunkOf } from '#shared/table/keys/key.ts';
import type { Write } from '#shared/table/table.ts';
import { writeInBatches } from '#tests/harness/bulk-people.ts';
import type { Client } from '#tests/harness/client.ts';
import { createChannel, createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { flagsOf } from '../alert-words/alert-word-calls.ts';
import { createGroup } from '../user-groups/group-calls.ts';
import { inTopic } from './lists/message-lists.ts';
import { allIdsIn, edit } from './message-changes.ts';

const service = await startTestService();
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const guest = await createUser(service, 'Guest', 600);
const room = await createChannel(service, [ada, bo, guest]);
const groupId = await createGroup(ada, [bo, cy], { name: 'Backend' });

const NAMED = ['mentioned'];
const CHANNEL = ['stream_wildcard_mentioned', 'wildcard_mentioned'];
const TOPIC = ['topic_wildcard_mentioned', 'wildcard_mentioned'];
const at = ({ userId }: Client): string => `@**|${userId}**`;
const post = (content: string, topic = 'topic', sender = ada): Promise<number> =>
  sender.send(room.channelId, topic, content);

describe('A message that mentions a user', () => {
  test('Has the flag for them and no other user, in events and when it is fetched', async () => {
    const queues = await listenAll([bo, guest], { event_types: ['message'] });
    const id = await post(`hi ${at(bo)}`);
    const eventsByQueue = await Promise.all(queues.map((queue) => queue.drain()));
    expect(eventsByQueue.map(([event]) => event?.flags)).toEqual([NAMED, []]);
    expect(await flagsOf(bo, id)).toEqual(NAMED);
    expect(await flagsOf(guest, id)).toEqual([]);
  });

  test.each([
    ['members of groups', () => '@*Backend*', NAMED, []],
    ['everybody in the channel', () => '@**all**', CHANNEL, CHANNEL],
    ['a person and everybody', () => `${at(bo)} @**everyone**`, [...NAMED, ...CHANNEL], CHANNEL],
    ['nobody silently', () => `@_**|${bo.userId}** @_*Backend* @_**all** @_**topic**`, [], []],
    ['nobody in code and in quotes', () => `\`@**all**\`\n> ${at(bo)} @*Backend*`, [], []],
  ])('Flags %s', async (_whom, content, forBo, forGuest) => {
    const id = await post(content());
    expect(await flagsOf(bo, id)).toEqual(forBo);
    expect(await flagsOf(guest, id)).toEqual(forGuest);
  });

  test('Has no flag for a user who never received it', async () => {
    const id = await post(`${at(cy)} @*Backend* @**all**`);
    expect(await flagsOf(cy, id)).toEqual(['read', 'historical']);
    const queue = await cy.listen({ event_types: ['message'], all_public_streams: true });
    await post(`${at(cy)} @**all**`);
    expect((await queue.drain()).map(({ flags }) => flags)).toEqual([['read', 'historical']]);
  });

  test('Has the flag for its sender, too', async () => {
    const id = await post(`${at(ada)} @**all** @**topic**`, 'self', ada);
    const wildcards = ['stream_wildcard_mentioned', 'topic_wildcard_mentioned', 'wildcard_mentioned'];
    expect(await flagsOf(ada, id)).toEqual([...NAMED, ...wildcards]);
  });

  test('Counts the members of a group at the time of sending', async () => {
    const id = await createGroup(ada, [bo], { name: 'Passing' });
    const before = await post('@*Passing*');
    await ada.post(`/user_groups/${id}/members`, { delete: [bo.userId], add: [guest.userId] });
    const after = await post('@*Passing*');
    expect([await flagsOf(bo, before), await flagsOf(bo, after)]).toEqual([NAMED, []]);
    expect([await flagsOf(guest, before), await flagsOf(guest, after)]).toEqual([[], NAMED]);
  });

  test('Counts members of subgroups, also of system groups', async () => {
    await createGroup(ada, [], { name: 'Above', subgroups: [groupId] });
    expect(await flagsOf(bo, await post('@*Above*'))).toEqual(NAMED);
    const [role] = (await ada.get('/user_groups')).body.user_groups.filter(
      ({ name }: { name: string }) => name === 'role:members',
    );
    await createGroup(ada, [], { name: 'People', subgroups: [role.id] });
    const id = await post('@*People*');
    expect(await flagsOf(bo, id)).toEqual(NAMED);
    expect(await flagsOf(guest, id)).toEqual([]);
  });

  test('Can mention people, groups and everyone in a conversation, and no topic', async () => {
    const id = await ada.sendDirect([bo.userId, cy.userId], `${at(cy)} @**all** @**topic**`);
    expect(await flagsOf(cy, id)).toEqual([...NAMED, ...CHANNEL]);
    expect(await flagsOf(bo, id)).toEqual(CHANNEL);
  });
});

describe('The topic wildcard', () => {
  test('Mentions users who wrote in the topic or reacted, and the sender', async () => {
    const first = await post('first', 'Kiln', bo);
    await guest.post(`/messages/${first}/reactions`, { emoji_name: 'tada' });
    const late = await createUser(service, 'Late');
    await late.subscribe(room.name);
    const id = await post('@**topic**', 'kiln');
    for (const reader of [bo, guest, ada]) expect(await flagsOf(reader, id)).toEqual(TOPIC);
    expect(await flagsOf(late, id)).toEqual([]);
    await late.send(room.channelId, 'kiln', 'me too');
    expect(await flagsOf(late, id)).toEqual([]);
  });

  test('Mentions users who wrote before many other messages', async () => {
    await post('first', 'Long ago', bo);
    for (let n = 0; n < 5; n++) await post(`${n}`, 'elsewhere');
    service.advance(11_000);
    expect(await flagsOf(bo, await post('@**topic**', 'long ago'))).toEqual(TOPIC);
  });

  test('Mentions no user because of messages that were moved away or reactions that were removed', async () => {
    const moved = await post('first', 'Away', bo);
    const kept = await post('second', 'Away');
    await guest.post(`/messages/${kept}/reactions`, { emoji_name: 'tada' });
    await guest.delete(`/messages/${kept}/reactions`, { emoji_name: 'tada' });
    await edit(service.owner, moved, { topic: 'elsewhere' });
    const id = await post('@**topic**', 'away');
    for (const reader of [bo, guest]) expect(await flagsOf(reader, id)).toEqual([]);
  });
});

describe('Editing a message', () => {
  test('Mentions the users in the new text, and sends every user their flags', async () => {
    const id = await post('hi');
    const queues = await listenAll([bo, guest], { event_types: ['update_message'] });
    await edit(ada, id, { content: `${at(bo)} @**all**` });
    const eventsByQueue = await Promise.all(queues.map((queue) => queue.drain()));
    expect(eventsByQueue.map(([event]) => event?.flags)).toEqual([[...NAMED, ...CHANNEL], CHANNEL]);
    await edit(ada, id, { content: `${at(guest)}` });
    expect([await flagsOf(bo, id), await flagsOf(guest, id)]).toEqual([[], NAMED]);
    await edit(ada, id, { content: 'nobody' });
    expect([await flagsOf(bo, id), await flagsOf(guest, id)]).toEqual([[], []]);
  });
});

describe('Unread mentions', () => {
  const mentionsOf = async (client: Client) => (await client.register()).snapshot.unread_msgs.mentions;

  test('Appear in the snapshot, and events lead to the same', async () => {
    const changing = await post('changes');
    const moving = await post(`${at(bo)}`, 'moves');
    const reading = await post(`${at(guest)}`);
    await expectConsistentSnapshot(service, [service.owner, ada, bo, guest], async () => {
      await post(`${at(bo)} @*Backend*`);
      await post('@**all**');
      await ada.sendDirect([bo.userId], `${at(bo)}`);
      await edit(ada, changing, { content: `now ${at(guest)}` });
      await edit(service.owner, moving, { topic: 'elsewhere' });
      await guest.post('/messages/flags', { messages: [reading], op: 'add', flag: 'read' });
      await edit(ada, await post(`${at(guest)}`), { content: 'never mind' });
    });
    expect(await mentionsOf(bo)).toContain(moving);
    expect(await mentionsOf(guest)).toContain(changing);
    expect(await mentionsOf(guest)).not.toContain(reading);
  });

  test('Come again if a message is marked as unread', async () => {
    const ids = [await post(`${at(bo)}`), await post('@**all**'), await post('hi')];
    const direct = await ada.sendDirect([bo.userId], `${at(bo)}`);
    const messages = [...ids, direct];
    await bo.post('/messages/flags', { messages, op: 'add', flag: 'read' });
    const queue = await bo.listen({ event_types: ['update_message_flags'] });
    await expectConsistentSnapshot(service, [bo], async () => {
      await bo.post('/messages/flags', { messages, op: 'remove', flag: 'read' });
    });
    const [{ message_details: details } = { message_details: {} }] = await queue.drain();
    expect(messages.map((id) => details[id].mentioned)).toEqual([true, true, undefined, true]);
    expect(details[ids[0] ?? 0]).toEqual({
      type: 'stream',
      stream_id: room.channelId,
      topic: 'topic',
      unmuted_stream_msg: true,
      mentioned: true,
    });
  });

  test('By wildcards count only if the topic is not muted', async () => {
    await bo.patch('/settings', { automatically_follow_topics_where_mentioned: false });
    const quiet = await createChannel(service, [ada, bo]);
    const change = { stream_id: quiet.channelId, property: 'is_muted', value: true };
    await bo.post('/users/me/subscriptions/properties', { subscription_data: [change] });
    const named = await ada.send(quiet.channelId, 'a', `${at(bo)}`);
    const wild = await ada.send(quiet.channelId, 'a', '@**all**');
    expect(await flagsOf(bo, wild)).toEqual(CHANNEL);
    expect((await mentionsOf(bo)).filter((id: number) => id >= named)).toEqual([named]);
  });

  test('Remain if the messages are read from digests', async () => {
    const named = await post(`${at(bo)}`);
    const wild = await post('@**topic**', 'digested', bo);
    await sweep(service.services);
    expect(await mentionsOf(bo)).toEqual(expect.arrayContaining([named, wild]));
    await edit(ada, named, { content: 'nobody' });
    expect(await mentionsOf(bo)).not.toContain(named);
    await edit(ada, named, { content: '@*Backend*' });
    expect(await mentionsOf(bo)).toContain(named);
  });
});

describe('Narrows by mentions', () => {
  test('Find with is:mentioned any flag of the reader, and with mentions: the named user', async () => {
    const ids = [
      await post(`${at(bo)}`, 'narrows'),
      await post('@*Backend*', 'narrows'),
      await post('@**all**', 'narrows'),
      await post('@**topic**', 'narrows', bo),
      await post(`@_**|${bo.userId}**`, 'narrows'),
    ];
    const find = (operator: string, operand: unknown) =>
      allIdsIn(bo, [...inTopic(room.channelId, 'narrows'), { operator, operand }]);
    expect(await find('is', 'mentioned')).toEqual(ids.slice(0, 4));
    expect(await find('mentions', bo.userId)).toEqual(ids.slice(0, 1));
    const narrow = [{ operator: 'is', operand: 'mentioned' }];
    const { body } = await bo.get('/messages/matches_narrow', { msg_ids: ids, narrow });
    expect(Object.keys(body.messages).map(Number)).toEqual(ids.slice(0, 4));
  });

  test('In a queue match messages that mention the reader by name', async () => {
    const queue = await bo.listen({ event_types: ['message'], narrow: [['is', 'mentioned']] });
    const id = await post('@*Backend*');
    await post('@**all**');
    expect((await queue.drain()).map(({ message }) => message.id)).toEqual([id]);
  });
});

describe('The capacity of mentions', () => {
  const costOf = (content: string) => unitsOf(service, () => post(content));

  /** A group of 5 000 people who came as if by themselves. */
  beforeAll(async () => {
    const groupId = await createGroup(ada, [bo], { name: 'Crowd' });
    const userIds = Array.from({ length: 5_000 }, (_, n) => 1_000 + n);
    const writes = [...Map.groupBy(userIds, memberChunkOf)].map(([chunk, ids]): Write => {
      return { kind: 'update', key: groupKeys.members(groupId, chunk), add: { userIds: new Set(ids) } };
    });
    await writeInBatches(service.services, writes);
  });

  test('Grow by two read units for a user by id who follows the topic', async () => {
    const plain = await costOf('hello, you who are there');
    await post(`hello @**|${bo.userId}**`);
    await service.settle();
    const named = await costOf(`hello @**|${bo.userId}**`);
    expect(named.write).toBe(plain.write);
    expect(named.read - plain.read).toBeLessThanOrEqual(2);
  });

  test('Stay the same for a group of 5 000, whose list is written once', async () => {
    const first = await costOf('@*Crowd*');
    const second = await costOf('@*Crowd*');
    const plain = await costOf('hello');
    expect(second.write).toBe(plain.write);
    expect(first.write - plain.write).toBeLessThanOrEqual(2);
    expect(second.read).toBeLessThanOrEqual(20);
  });

  test('Grow by one read unit for all messages to such a group in a page', async () => {
    const ids = [await post('@*Crowd*'), await post('@*Crowd* again')];
    const page = { anchor: ids[0], num_before: 0, num_after: 5 };
    const plain = await unitsOf(service, () => ada.get('/messages', { ...page, anchor: 1, num_after: 1 }));
    const mentioned = await unitsOf(service, () => bo.get('/messages', page));
    expect(mentioned.read - plain.read).toBeLessThanOrEqual(4);
    expect(await flagsOf(bo, ids[1] ?? 0)).toEqual(['mentioned']);
    expect(await flagsOf(ada, ids[1] ?? 0)).toEqual([]);
  });

  test('Stay the same for a wildcard in a channel with few subscribers', async () => {
    const plain = await costOf('hello');
    expect(await costOf('@**all**')).toEqual(plain);
  });
});
