import { describe, expect, test } from 'vitest';
import { messageIndex } from '#shared/table/keys/log.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { sendAgain } from '#tests/harness/log.ts';
import { createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { join, leave, newName, openChannel } from '../channel-calls.ts';
import { drainKinds, findByName, kindsOf } from '../channel-records.ts';

const service = await startTestService();
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const guest = await createUser(service, 'Guest', 600);

const UNREAD = ['message', 'update_message_flags'];
const WANTED = { event_types: ['stream', 'subscription', 'message'] };
const queuesOf = (...clients: Client[]) => listenAll(clients, WANTED);

const open = (params: Params = {}) => openChannel(service, [ada, bo, guest, service.owner], params);
/** Bo leaves, and what follows from it has happened. */
async function boLeaves(name: string): Promise<void> {
  await leave(bo, [name]);
  await service.settle();
}

describe('Leaving a public channel', () => {
  test('Notifies the user, and every other user who may see the subscribers', async () => {
    const { name, channelId } = await open();
    const queues = await queuesOf(bo, ada, cy, guest);
    await leave(bo, [name]);
    const [bos, ...others] = await Promise.all(queues.map((queue) => queue.drain()));
    const removed = { type: 'subscription', op: 'remove', id: expect.any(Number) };
    expect(bos).toEqual([{ ...removed, subscriptions: [{ stream_id: channelId, name }] }]);
    const peer = { op: 'peer_remove', stream_ids: [channelId], user_ids: [bo.userId] };
    for (const events of others) expect(events).toMatchObject([peer]);
  });

  test('Hides the channel from a guest', async () => {
    const { name, channelId } = await open();
    const [queue] = await queuesOf(guest);
    await leave(guest, [name]);
    const events = (await queue?.drain()) ?? [];
    expect(kindsOf(events)).toEqual(['subscription/remove', 'stream/delete']);
    expect(events[1]).toMatchObject({ streams: [{ stream_id: channelId }], stream_ids: [channelId] });
  });

  test('Notifies each of several people of the others, and none of themselves', async () => {
    const { name } = await open();
    const queues = await queuesOf(bo, service.owner, ada);
    await leave(service.owner, [name], { principals: [bo.userId, service.owner.userId] });
    const received = await Promise.all(queues.map((queue) => queue.drain()));
    const removed = received.map((events) => events.flatMap(({ user_ids = [] }) => user_ids));
    expect(removed).toEqual([[service.owner.userId], [bo.userId], [service.owner.userId, bo.userId]]);
  });

  test('Sends no event if the user had left before', async () => {
    const { name } = await open();
    await boLeaves(name);
    const queues = await queuesOf(bo, ada);
    await boLeaves(name);
    expect(await Promise.all(queues.map(drainKinds))).toEqual([[], []]);
  });
});

describe('Leaving a private channel', () => {
  test('Hides the channel from the user, and notifies only subscribers and administrators', async () => {
    const { name } = await open({ invite_only: true });
    const queues = await queuesOf(bo, ada, guest, cy);
    await leave(bo, [name]);
    const kinds = await Promise.all(queues.map(drainKinds));
    const peer = ['subscription/peer_remove'];
    expect(kinds).toEqual([['subscription/remove', 'stream/delete'], peer, peer, []]);
  });

  test('Does not hide the channel from administrators, who still receive its subscriber events', async () => {
    const { name } = await open({ invite_only: true });
    const [queue] = await queuesOf(service.owner);
    await leave(service.owner, [name]);
    await leave(guest, [name]);
    expect(queue && (await drainKinds(queue))).toEqual(['subscription/remove', 'subscription/peer_remove']);
  });
});

describe('Messages of a channel that a user leaves', () => {
  test('Stop arriving, and arrive again after the user returns', async () => {
    const { name } = await open();
    const [queue] = await queuesOf(bo);
    const before = await ada.send(name, 'x', 'before');
    await leave(bo, [name]);
    await ada.send(name, 'x', 'while away');
    await join(bo, [name]);
    const after = await ada.send(name, 'x', 'after');
    const events = (await queue?.drain()) ?? [];
    const ids = events.filter(({ type }) => type === 'message').map(({ message }) => message.id);
    expect(ids).toEqual([before, after]);
  });

  test('Become read if they were unread', async () => {
    const { name, channelId } = await open();
    const { name: kept } = await open();
    const unread = [await ada.send(name, 'x', 'one'), await ada.send(name, 'y', 'two')];
    const other = await ada.send(kept, 'x', 'elsewhere');
    const queue = await bo.listen({ event_types: ['update_message_flags'] });
    await boLeaves(name);
    const event = { type: 'update_message_flags', id: expect.any(Number) };
    const change = { op: 'add', operation: 'add', flag: 'read', messages: unread, all: false };
    expect(await queue.drain()).toEqual([{ ...event, ...change }]);
    const { snapshot } = await bo.register({ fetch_event_types: UNREAD });
    const channels = snapshot.unread_msgs.streams.map(({ stream_id }: { stream_id: number }) => stream_id);
    expect(channels).not.toContain(channelId);
    expect(JSON.stringify(snapshot.unread_msgs)).toContain(String(other));
  });

  test('Become read if they are deleted after the user left', async () => {
    const { name, channelId } = await open({ invite_only: true });
    const queue = await bo.listen();
    const messageId = await ada.send(channelId, 'topic', 'unread');
    await leave(bo, [name]);
    await service.owner.delete(`/messages/${messageId}`);
    await service.settle();
    const read = (await queue.drain()).filter(({ type }) => type === 'update_message_flags');
    expect(read.map(({ op, flag, messages }) => [op, flag, messages])).toEqual([
      ['add', 'read', [messageId]],
    ]);
  });

  test('Become read after a deletion only if the user left their channel', async () => {
    const [left, other] = [await open({ invite_only: true }), await open()];
    const messageId = await ada.send(left.channelId, 'topic', 'unread');
    const elsewhere = await ada.send(other.channelId, 'topic', 'unread as well');
    const deliver = holdJobs(service);
    await leave(bo, [left.name]);
    const queue = await bo.listen({ event_types: ['update_message_flags'] });
    for (const id of [messageId, elsewhere])
      expect((await service.owner.delete(`/messages/${id}`)).status).toBe(200);
    await deliver();
    expect((await queue.drain()).map(({ flag, messages }) => [flag, messages])).toEqual([
      ['read', [messageId]],
    ]);
  });

  test('Stay unread in other channels, and when the user marks them unread after returning', async () => {
    const [left, other] = [await open(), await open()];
    const mark = async (id: number) => {
      for (const op of ['add', 'remove'])
        await bo.post('/messages/flags', { messages: [id], op, flag: 'read' });
    };
    const reopened = await ada.send(left.name, 'x', 'of the channel that is left');
    const elsewhere = await ada.send(other.name, 'x', 'of another channel');
    for (const id of [reopened, elsewhere]) await mark(id);
    const release = holdJobs(service);
    await leave(bo, [left.name]);
    await join(bo, [left.name]);
    const later = await ada.send(left.name, 'x', 'after coming back');
    await mark(later);
    await release();
    const { snapshot } = await bo.register({ fetch_event_types: UNREAD });
    const ids = snapshot.unread_msgs.streams.flatMap(
      ({ unread_message_ids }: { unread_message_ids: number[] }) => unread_message_ids,
    );
    expect(ids).toEqual(expect.arrayContaining([elsewhere, later]));
    expect(ids).not.toContain(reopened);
  });

  test('Become read if they were unread but are not indexed yet', async () => {
    const { name, channelId } = await open();
    const first = await ada.send(channelId, 'x', 'one of many');
    const unread = [first, ...(await sendAgain(service.services, [first], 103))];
    const queue = await bo.listen({ event_types: ['update_message_flags'] });
    const { table } = service.services;
    const list = table.list.bind(table);
    table.list = async (query) => (query.index === messageIndex.byChannel ? [] : list(query));
    await boLeaves(name);
    table.list = list;
    expect((await queue.drain()).flatMap(({ messages }) => messages)).toEqual(unread);
  });

  test('Get no second event if they were read already', async () => {
    const { name } = await open();
    await bo.send(name, 'x', 'my own', { read_by_sender: true });
    const queue = await bo.listen();
    await boLeaves(name);
    expect(await drainKinds(queue)).toEqual(['subscription/remove']);
  });

  test('Get no second event if they were read already and are deleted meanwhile', async () => {
    const { name, channelId } = await open({ invite_only: true });
    const read = await ada.send(channelId, 'topic', 'read');
    await bo.post('/mark_all_as_read');
    await bo.register();
    const unread = await ada.send(channelId, 'topic', 'unread');
    const deliver = holdJobs(service);
    await leave(bo, [name]);
    const queue = await bo.listen({ event_types: ['update_message_flags'] });
    for (const id of [read, unread]) expect((await service.owner.delete(`/messages/${id}`)).status).toBe(200);
    await deliver();
    expect((await queue.drain()).map(({ messages }) => messages)).toEqual([[unread]]);
  });

  test('Stay unread for other users', async () => {
    const { name } = await open();
    const id = await ada.send(name, 'x', 'one');
    const queue = await guest.listen();
    await boLeaves(name);
    expect(await drainKinds(queue)).toEqual(['subscription/peer_remove']);
    const { snapshot } = await guest.register({ fetch_event_types: UNREAD });
    expect(JSON.stringify(snapshot.unread_msgs.streams)).toContain(String(id));
  });
});

describe('The snapshot of register', () => {
  test('Lists channels as left or never subscribed, and none that the user may not know', async () => {
    const { name: left } = await open();
    const { name: secret } = await open({ invite_only: true });
    const never = newName();
    await join(ada, [never]);
    await leave(bo, [left, secret]);
    const { snapshot } = await bo.register({ include_subscribers: true });
    expect(JSON.stringify(snapshot)).not.toContain(`"${secret}"`);
    const record = findByName(snapshot.unsubscribed, left);
    expect(record).toMatchObject({ color: expect.any(String), subscribers: expect.any(Array) });
    const other = findByName(snapshot.never_subscribed, never);
    expect(other).toMatchObject({ subscribers: [ada.userId], subscriber_count: 1 });
    expect(other).not.toHaveProperty('color');
  });

  test('Lists private channels for administrators outside them', async () => {
    const name = newName();
    await join(ada, [name], { invite_only: true });
    const { snapshot } = await service.owner.register({ include_subscribers: true });
    const record = findByName(snapshot.never_subscribed, name);
    expect(record).toMatchObject({ invite_only: true, subscribers: [ada.userId] });
    expect(findByName(snapshot.streams, name)).toBeDefined();
  });
});

test('Snapshot and events agree when people leave channels of every kind with messages unread', async () => {
  const channels = [await open(), await open({ invite_only: true })];
  const shared = await open({ invite_only: true, history_public_to_subscribers: true });
  const names = [...channels, shared].map(({ name }) => name);
  await expectConsistentSnapshot(service, [ada, bo, cy, guest, service.owner], async () => {
    for (const name of names) await ada.send(name, 'x', 'hello');
    await leave(bo, names);
    await leave(service.owner, names, { principals: [guest.userId, service.owner.userId] });
    await ada.send(shared.name, 'x', 'are you still there?');
    await join(ada, names, { principals: [bo.userId, guest.userId] });
    await ada.send(shared.name, 'y', 'welcome back');
    await leave(ada, [names[0] as string]);
  });
});
