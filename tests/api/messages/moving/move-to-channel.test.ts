import { beforeEach, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { maintainLog } from '#shared/log/maintenance.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers, idsOf, type TestChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { list, newest, term } from '../lists/message-lists.ts';

let from: TestChannel;
let ids: number[];

const service = await startTestService();
const [ada, both, leaver, newcomer] = await createUsers(service, 'Ada', 'Both', 'Leaver', 'Newcomer');
const guest = await createUser(service, 'Guest', roles.guest);
const begin = async () => {
  from = await createChannel(service, [ada, both, leaver, guest]);
  ids = [await ada.send(from.name, 'a', 'one'), await ada.send(from.name, 'a', 'two')];
};
beforeEach(begin);

const everyone = () => [service.owner, ada, both, leaver, newcomer, guest];
const moveAll = (client: Client, to: TestChannel, params: object = {}, id = ids[0]) =>
  client.patch(`/messages/${id}`, {
    stream_id: to.channelId,
    propagate_mode: 'change_all',
    send_notification_to_new_thread: false,
    ...params,
  });
const expectMoved = async ([id]: number[], to: TestChannel, params: object = {}) => {
  const { status, body } = await moveAll(ada, to, params, id);
  expect(status, body.msg).toBe(200);
};
const target = (params: object = {}): Promise<TestChannel> =>
  createChannel(service, [ada, both, newcomer], { ...params });
const statusOf = async (client: Client, id = ids[0]) => (await client.get(`/messages/${id}`)).status;
const flagsOf = async (client: Client, id = ids[0]) =>
  (await client.get(`/messages/${id}`)).body.message.flags;
const typesOf = async (client: Client, act: () => Promise<unknown>) => {
  const queue = await client.listen({ client_capabilities: { bulk_message_deletion: true } });
  await act();
  return (await queue.drain()).filter(({ type }) => type !== 'stream');
};

describe('Moving messages to another channel', () => {
  test('Looks the same to a client that registers afterwards and may read the other channel', async () => {
    const kinds = [{}, { invite_only: true }, { invite_only: true, history_public_to_subscribers: false }];
    const moves: { ids: number[]; from: TestChannel; to: TestChannel }[] = [];
    for (const params of kinds) {
      await begin();
      moves.push({ ids, from, to: await target(params) });
      for (const reader of [both, leaver])
        await reader.post('/messages/flags', { messages: ids, op: 'add', flag: 'starred' });
    }
    await expectConsistentSnapshot(service, everyone(), async () => {
      for (const { ids, to } of moves) await expectMoved(ids, to, { topic: 'b' });
    });
    await expectConsistentSnapshot(service, everyone(), async () => {
      await maintainLog(service.services);
      for (const { ids, from, to } of moves) {
        await expectMoved(ids, from);
        await ada.subscribe(to.name, { principals: [leaver.userId] });
        await service.settle();
      }
    });
  });

  test('Leaves messages unread for subscribers of both', async () => {
    const to = await target();
    await moveAll(ada, to);
    expect(await flagsOf(both)).toEqual([]);
    const { snapshot } = await both.register({ fetch_event_types: ['message', 'update_message_flags'] });
    const here = { stream_id: to.channelId, topic: 'a', unread_message_ids: ids };
    expect(snapshot.unread_msgs.streams).toContainEqual(expect.objectContaining(here));
  });

  test('Posts notices in the old and the new channel', async () => {
    const to = await target();
    const [event] = await typesOf(both, () => moveAll(ada, to, { topic: 'b' }));
    expect(event).toMatchObject({
      type: 'update_message',
      message_ids: ids,
      stream_id: from.channelId,
      stream_name: from.name,
      new_stream_id: to.channelId,
      orig_subject: 'a',
      subject: 'b',
    });
    const [other] = await typesOf(both, () => moveAll(ada, from));
    expect(other).not.toHaveProperty('subject');
    const { message } = (await both.get(`/messages/${ids[0]}`)).body;
    expect(message.edit_history).toMatchObject([
      { prev_stream: to.channelId, stream: from.channelId },
      { prev_stream: from.channelId, stream: to.channelId, prev_topic: 'a', topic: 'b' },
    ]);
  });

  test('Deletes them for people who may not read the new channel', async () => {
    const to = await target({ invite_only: true });
    const old = await leaver.listen({ event_types: ['delete_message', 'update_message'] });
    const events = await typesOf(leaver, () => moveAll(ada, to));
    const place = { message_type: 'stream', stream_id: from.channelId, topic: 'a' };
    const deletion = { id: expect.any(Number), type: 'delete_message', ...place };
    expect(events).toEqual([{ ...deletion, message_ids: ids }]);
    expect(await old.drain()).toEqual(ids.map((message_id) => ({ ...deletion, message_id })));
    expect(await statusOf(leaver)).toBe(400);
    expect(JSON.stringify(events)).not.toContain(to.name);
    expect(await statusOf(newcomer)).toBe(200);
  });

  test('Marks them as read for members who may read the new channel but are not in it', async () => {
    const to = await target();
    const events = await typesOf(leaver, () => moveAll(ada, to));
    expect(events).toMatchObject([
      { type: 'update_message', message_ids: ids },
      { type: 'update_message_flags', op: 'add', flag: 'read', messages: ids },
    ]);
    expect(await flagsOf(leaver)).toEqual(['read', 'historical']);
    expect(await statusOf(guest)).toBe(400);
  });

  test('Sends queues of all public messages none from a private channel', async () => {
    const hidden = await createChannel(service, [ada, both], { invite_only: true });
    const to = await target();
    const queue = await leaver.listen({ all_public_streams: true, event_types: ['message'] });
    const id = await ada.send(hidden.name, 'secret', 'sent in private');
    await expectMoved([id], to);
    const afterwards = await ada.send(to.name, 'x', 'sent in public');
    expect((await queue.drain()).map(({ message }) => message.id)).toEqual([afterwards]);
  });

  test('Reveals nothing of a private channel to people outside it', async () => {
    const hidden = await createChannel(service, [ada, both], { invite_only: true });
    const id = await ada.send(hidden.name, 'secret', 'text');
    const to = await target();
    const events = await typesOf(newcomer, async () => {
      await ada.patch(`/messages/${id}`, { stream_id: to.channelId, topic: 'open' });
      await service.settle();
    });
    const note = expect.stringContaining('moved here from a private channel by');
    expect(events).toMatchObject([{ type: 'message', message: { content: note } }]);
    expect(JSON.stringify(events)).not.toContain(hidden.name);
    const { messages } = await list(newcomer, { ...newest, narrow: [term('channel', to.channelId)] });
    expect(idsOf(messages)).toContain(id);
    for (const secret of [hidden.name, 'prev_stream']) expect(JSON.stringify(messages)).not.toContain(secret);
  });

  test('Changes the first messages of both channels', async () => {
    const to = await target();
    await ada.send(from.name, 'stays', 'three');
    const before = (await ada.get('/streams', {})).body.streams;
    await moveAll(ada, to);
    const after = (await ada.get('/streams', {})).body.streams;
    const first = (streams: { stream_id: number; first_message_id: number }[], { channelId }: TestChannel) =>
      streams.find(({ stream_id }) => stream_id === channelId)?.first_message_id ?? 0;
    expect(first(after, to)).toBe(Math.min(ids[0] ?? 0, first(before, to) || Number.POSITIVE_INFINITY));
    expect(first(after, from)).not.toBe(ids[0]);
  });

  test('Requires permission, and a channel to which the caller may post', async () => {
    const to = await target();
    const closed = await createChannel(service, [service.owner], { invite_only: true });
    expect((await moveAll(leaver, closed)).body.msg).toBe('Invalid channel ID');
    expect((await moveAll(ada, { name: '', channelId: 99_999 })).body.msg).toBe('Invalid channel ID');
    await ada.patch(`/streams/${to.channelId}`, { can_send_message_group: { new: 2 } });
    expect((await moveAll(both, to)).body.msg).toBe('You do not have permission to post in this channel.');
    await service.owner.patch('/realm', { can_move_messages_between_channels_group: { new: 2 } });
    expect((await moveAll(both, to)).body.msg).toBe("You don't have permission to move this message");
    await service.owner.patch('/realm', { can_move_messages_between_channels_group: { new: 5 } });
  });

  test('Takes a message through 20 channels at most', async () => {
    const [here, there] = [from, await target()];
    const [id = 0] = ids;
    for (let n = 0; n < 20; n++) await expectMoved([id], n % 2 === 0 ? there : here);
    const msg = 'A message cannot be moved between channels more than 20 times';
    expectRefusal(await moveAll(ada, there, {}, id), msg);
    expect((await ada.get(`/messages/${id}`)).body.message.stream_id).toBe(here.channelId);
  });

  test('Has a time limit', async () => {
    const to = await target();
    service.advance(8 * 24 * 3600 * 1000);
    const { body } = await moveAll(ada, to);
    expect(body.msg).toBe('The time limit for moving this topic has passed.');
  });
});
