import { beforeEach, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { maintainLog } from '#shared/log/maintenance.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import {
  allIdsIn,
  allIdsOfTopic,
  fillTopic,
  move,
  read,
  topicsOf,
} from '#tests/api/messages/message-changes.ts';
import type { Client, ReceivedEvent } from '#tests/harness/client.ts';
import { interrupt, writes } from '#tests/harness/interruption.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import {
  archiveChannel,
  createChannel,
  createUser,
  createUsers,
  type TestChannel,
} from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

let channel: TestChannel;

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', roles.guest);
beforeEach(async () => {
  channel = await createChannel(service, [ada, bo, guest]);
});

const fill = (topic: string, count: number) => fillTopic(ada, channel, topic, count);
const idsOfTopic = (client: Client, topic: string, place = channel) => allIdsOfTopic(client, place, topic);
const topics = (place = channel) => topicsOf(ada, place);
const WHOLE = { propagate_mode: 'change_all' };
const REFUSED = "You don't have permission to edit this message";
const LATE = "The time limit for editing this message's topic has passed.";

describe('Moving messages to another topic', () => {
  test('Moves one of them, all from it on, or all', async () => {
    const ids = await fill('a', 4);
    expect((await move(bo, ids[1] ?? 0, { topic: 'one' })).status).toBe(200);
    expect(await idsOfTopic(bo, 'one')).toEqual([ids[1]]);
    await move(bo, ids[2] ?? 0, { topic: 'later', propagate_mode: 'change_later' });
    expect(await idsOfTopic(bo, 'later')).toEqual([ids[2], ids[3]]);
    expect(await idsOfTopic(bo, 'a')).toEqual([ids[0]]);
    await move(bo, ids[3] ?? 0, { topic: 'All', ...WHOLE });
    expect(await idsOfTopic(bo, 'all')).toEqual([ids[2], ids[3]]);
    expect(await topics()).toEqual([
      { name: 'All', max_id: ids[3] },
      { name: 'one', max_id: ids[1] },
      { name: 'a', max_id: ids[0] },
    ]);
  });

  test('May change only the letter case of its name, which follows its newest message', async () => {
    const ids = await fill('plan', 2);
    await move(bo, ids[0] ?? 0, { topic: 'pLAN' });
    expect(await topics()).toEqual([{ name: 'plan', max_id: ids[1] }]);
    await expectConsistentSnapshot(service, [service.owner, bo], async () => {
      await move(bo, ids[1] ?? 0, { topic: 'PLAN', ...WHOLE });
    });
    expect(await topics()).toEqual([{ name: 'PLAN', max_id: ids[1] }]);
    const key = channelKeys.topic(channel.channelId, 'plan');
    const meanwhile: number[] = [];
    interrupt(service, { transact: writes(key) }, async () => {
      meanwhile.push(...(await fill('plan', 1)));
    });
    expect((await move(bo, ids[1] ?? 0, { topic: 'Plan' })).status).toBe(200);
    expect(await topics()).toEqual([{ name: 'plan', max_id: meanwhile[0] }]);
  });

  test('Fails in an archived channel, like editing', async () => {
    const [id = 0] = await fill('a', 1);
    const there = await createChannel(service, [ada, bo]);
    await archiveChannel(service, channel);
    for (const wish of [{ topic: 'b' }, { stream_id: there.channelId }, { content: 'new' }])
      expectRefusal(await move(ada, id, wish), REFUSED);
    expect(await idsOfTopic(bo, 'a')).toEqual([id]);
  });

  test('Records the earlier place and the time', async () => {
    const [id = 0] = await fill('a', 1);
    await move(bo, id, { topic: 'b' });
    await move(ada, id, { topic: '' });
    const { message } = (await bo.get(`/messages/${id}`)).body;
    expect(message).toMatchObject({
      subject: 'general chat',
      edit_history: [
        { user_id: ada.userId, prev_topic: 'b', topic: 'general chat' },
        { user_id: bo.userId, prev_topic: 'a', topic: 'b' },
      ],
      last_moved_timestamp: expect.any(Number),
    });
    expect(message).not.toHaveProperty('last_edit_timestamp');
  });

  test('Notifies every recipient in one event, with the text if that changes too', async () => {
    const ids = await fill('a', 2);
    await bo.post('/messages/flags', { messages: ids, op: 'add', flag: 'read' });
    const client_capabilities = { empty_topic_name: true };
    const queue = await bo.listen({ event_types: ['update_message'], client_capabilities });
    await move(ada, ids[0] ?? 0, { topic: 'see https://example.com', ...WHOLE, content: 'new' });
    expect(await queue.drain()).toEqual([
      {
        id: expect.any(Number),
        type: 'update_message',
        user_id: ada.userId,
        rendering_only: false,
        message_id: ids[0],
        message_ids: ids,
        flags: ['read'],
        edit_timestamp: expect.any(Number),
        stream_id: channel.channelId,
        stream_name: channel.name,
        orig_subject: 'a',
        subject: 'see https://example.com',
        propagate_mode: 'change_all',
        topic_links: [{ text: 'https://example.com', url: 'https://example.com' }],
        orig_content: 'a 0',
        orig_rendered_content: '<p>a 0</p>',
        content: 'new',
        rendered_content: '<p>new</p>',
        is_me_message: false,
      },
    ]);
  });

  test('Names the old topic in the spelling of the first message', async () => {
    const [first = 0, second = 0] = [...(await fill('plans', 1)), ...(await fill('Plans', 1))];
    const queue = await bo.listen({ event_types: ['update_message'] });
    await move(ada, second, { topic: 'there', ...WHOLE });
    await move(ada, first, { topic: 'elsewhere', ...WHOLE });
    expect(await queue.drain()).toMatchObject([
      { message_ids: [first, second], orig_subject: 'plans' },
      { message_ids: [first, second], orig_subject: 'there' },
    ]);
  });

  test('Keeps unread, starred and reactions', async () => {
    const ids = await fill('a', 3);
    await bo.post('/messages/flags', { messages: [ids[0]], op: 'add', flag: 'starred' });
    await bo.post(`/messages/${ids[1]}/reactions`, { emoji_name: 'tada' });
    await bo.post('/messages/flags', { messages: [ids[2]], op: 'add', flag: 'read' });
    await expectConsistentSnapshot(service, [service.owner, ada, bo, guest], async () => {
      await move(ada, ids[1] ?? 0, { topic: 'b', ...WHOLE });
      await move(ada, ids[1] ?? 0, { topic: 'c', propagate_mode: 'change_one' });
    });
    const { snapshot } = await bo.register();
    expect(snapshot.starred_messages).toContain(ids[0]);
    const mine = snapshot.unread_msgs.streams.filter(
      ({ stream_id, topic }: ReceivedEvent) => stream_id === channel.channelId && topic !== 'channel events',
    );
    expect(mine).toMatchObject([
      { topic: 'b', unread_message_ids: [ids[0]] },
      { topic: 'c', unread_message_ids: [ids[1]] },
    ]);
    const { message } = (await bo.get(`/messages/${ids[1]}`)).body;
    expect(message.reactions).toHaveLength(1);
  });

  test('Reaches readers of digests too, however often', async () => {
    const ids = await fill('a', 3);
    await maintainLog(service.services);
    await expectConsistentSnapshot(service, [ada, bo, guest], async () => {
      for (const topic of ['b', 'c', 'b'])
        await move(ada, ids[1] ?? 0, { topic, propagate_mode: 'change_later' });
      await maintainLog(service.services);
    });
    expect(await idsOfTopic(bo, 'b')).toEqual([ids[1], ids[2]]);
  });

  test('Requires the group that the organization or the channel sets', async () => {
    const [id = 0] = await fill('a', 1);
    await service.owner.patch('/realm', { can_move_messages_between_topics_group: { new: 2 } });
    for (const client of [guest, bo]) expectRefusal(await move(client, id, { topic: 'b' }), REFUSED);
    const onlyBo = { new: { direct_members: [bo.userId], direct_subgroups: [] } };
    const path = `/streams/${channel.channelId}`;
    await ada.patch(path, { can_move_messages_within_channel_group: onlyBo });
    expect((await move(bo, id, { topic: 'b' })).status).toBe(200);
    await service.owner.patch('/realm', { can_move_messages_between_topics_group: { new: 7 } });
    expect((await move(guest, id, { topic: 'c' })).status).toBe(200);
  });

  test('Has a time limit, except for moderators', async () => {
    const ids = await fill('a', 2);
    service.advance(8 * 24 * 3600 * 1000);
    ids.push(...(await fill('a', 1)));
    const [oldest = 0, , newest = 0] = ids;
    for (const params of [{ topic: 'b' }, { topic: 'b', propagate_mode: 'change_later' }])
      expectRefusal(await move(bo, oldest, params), LATE);
    for (const id of [newest, oldest])
      expectRefusal(
        await move(bo, id, { topic: 'b', ...WHOLE }),
        'You only have permission to move the 1/3 most recent messages in this topic.',
        {
          code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
          first_message_id_allowed_to_move: newest,
          total_messages_in_topic: 3,
          total_messages_allowed_to_move: 1,
        },
      );
    const [, last = 0] = await fill('c', 2);
    service.advance(8 * 24 * 3600 * 1000);
    const late = await move(bo, last, { topic: 'd', ...WHOLE });
    expectRefusal(late, 'The time limit for moving this topic has passed.');
    expect((await move(service.owner, oldest, { topic: 'b', ...WHOLE })).body.msg).toBe('');
  });

  test('Respects the topic policy of the channel', async () => {
    const [id = 0] = await fill('a', 1);
    await ada.patch(`/streams/${channel.channelId}`, { topics_policy: 'disable_empty_topic' });
    const { body } = await move(ada, id, { topic: '' });
    expect(body.msg).toBe('Sending messages to the general chat is not allowed in this channel.');
    await ada.patch(`/streams/${channel.channelId}`, { can_create_topic_group: { new: 2 } });
    const fresh = await move(bo, id, { topic: 'new' });
    expect(fresh.body.msg).toBe('You do not have permission to create new topics in this channel.');
  });
});

describe('Resolving a topic', () => {
  const expectNotice = async (messageId = 0): Promise<void> => {
    const { raw_content } = await read(bo, messageId);
    expect(raw_content).toBe(`@_**Bo|${bo.userId}** has marked this topic as resolved.`);
  };
  /** Renames a topic, and waits for the consequences. */
  const rename = async (id: number, topic: string): Promise<void> => {
    expect((await move(bo, id, { topic, ...WHOLE })).body.msg).toBe('');
    await service.settle();
  };

  test('Posts a notice of the bot, and counts as no move', async () => {
    const [id = 0] = await fill('a', 2);
    await expectConsistentSnapshot(service, [service.owner, ada, bo, guest], async () => {
      await rename(id, '✔ a');
    });
    const resolved = await idsOfTopic(bo, '✔ a');
    expect(resolved).toHaveLength(3);
    await expectNotice(resolved[2]);
    expect((await bo.get(`/messages/${id}`)).body.message).not.toHaveProperty('last_moved_timestamp');
    expect(await allIdsIn(bo, [['is', 'resolved']])).toEqual(expect.arrayContaining(resolved));
  });

  test.each([
    ['k'.repeat(59), `✔ ${'k'.repeat(55)}...`],
    ['k'.repeat(60), `✔ ${'k'.repeat(55)}...`],
    ['Cafe\u0301', '✔ Caf\u00e9'],
  ])('Marks the topic %j as resolved although the mark makes it too long', async (topic, title) => {
    const [id = 0] = await fill(topic, 1);
    await service.owner.patch('/realm', { can_move_messages_between_topics_group: { new: 2 } });
    await rename(id, `✔ ${topic.normalize()}`);
    const [, ...notes] = await idsOfTopic(bo, title);
    expect(notes).toHaveLength(1);
    await expectNotice(notes[0]);
    await rename(id, topic);
    expect(await idsOfTopic(bo, topic)).toEqual([id]);
    await service.owner.patch('/realm', { can_move_messages_between_topics_group: { new: 7 } });
  });

  test('Removes the notice of the bot if a user undoes it within a minute', async () => {
    const [id = 0] = await fill('a', 1);
    await rename(id, '✔ a');
    await rename(id, 'a');
    expect(await idsOfTopic(bo, 'a')).toEqual([id]);
    await rename(id, '✔ a');
    service.advance(61_000);
    await rename(id, 'a');
    expect(await idsOfTopic(bo, 'a')).toHaveLength(3);
  });

  test('Requires a permission of its own', async () => {
    const [id = 0] = await fill('a', 1);
    await service.owner.patch('/realm', { can_resolve_topics_group: { new: 2 } });
    const reply = await move(bo, id, { topic: '✔ a', ...WHOLE });
    expectRefusal(reply, "You don't have permission to resolve topics.");
    await service.owner.patch('/realm', { can_resolve_topics_group: { new: 7 } });
  });
});
