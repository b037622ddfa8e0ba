// The operations deleteMessage and deleteTopic.
import { beforeEach, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { maintainLog } from '#shared/log/maintenance.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { logKeys, messagePartitions } from '#shared/table/keys/log.ts';
import type { Client, EventQueue } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { interrupt, reads } from '#tests/harness/interruption.ts';
import { sendAgain } from '#tests/harness/log.ts';
import { createChannel, createUser, createUsers, listenAll, type TestChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { topicsOf } from './message-changes.ts';

let channel: TestChannel;

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', roles.guest);
beforeEach(async () => {
  channel = await createChannel(service, [ada, bo, guest]);
});

const remove = (client: Client, id: number) => client.delete(`/messages/${id}`);
const send = (topic = 'a', text = 'hi') => ada.send(channel.name, topic, text);

/** The queue is notified that the channel begins with another message. */
const expectFirst = async (queue: EventQueue, value: number) =>
  expect((await queue.drain()).filter(({ type }) => type === 'stream')).toMatchObject([
    { op: 'update', stream_id: channel.channelId, property: 'first_message_id', value },
  ]);
const capabilities = { client_capabilities: { bulk_message_deletion: true } };

describe('Deleting a message', () => {
  test('Removes it for every user, with its flags, reactions and earlier texts', async () => {
    const ids = [await send(), await send(), await send('b')];
    const id = ids[1] ?? 0;
    await ada.patch(`/messages/${id}`, { content: 'ho' });
    await bo.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
    await bo.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    await expectConsistentSnapshot(service, [service.owner, ada, bo, guest], async () => {
      expect((await remove(ada, id)).status).toBe(200);
    });
    for (const client of [ada, bo])
      expect((await client.get(`/messages/${id}`)).body.msg).toBe('Invalid message(s)');
    expect((await bo.register()).snapshot.starred_messages).not.toContain(id);
    const { table } = service.services;
    expect(await table.list({ partition: messagePartitions.textsOf(id), consistent: true })).toEqual([]);
    expect(await table.find(logKeys.entry(id))).not.toHaveProperty('message');
    const place = messagePartitions.reactionsIn(`C${channel.channelId}#a`);
    expect(await table.list({ partition: place, consistent: true })).toEqual([]);
    expect((await remove(ada, id)).body.msg).toBe('Invalid message(s)');
  });

  test('Sends an earlier change first, without flags, to a client that did not get it', async () => {
    const id = await send();
    const queue = await bo.listen();
    await ada.patch(`/messages/${id}`, { content: 'ho' });
    await remove(ada, id);
    expect(await queue.drain()).toMatchObject([
      { type: 'update_message', message_id: id, flags: [], content: 'ho' },
      { type: 'delete_message' },
    ]);
  });

  test('Makes the next one the first of its channel, and notifies readers', async () => {
    const { first_message_id: first } = (await bo.get(`/streams/${channel.channelId}`)).body.stream;
    const next = await send();
    await service.owner.subscribe(channel.name);
    const queue = await bo.listen();
    expect((await remove(service.owner, first)).status).toBe(200);
    await expectFirst(queue, next);
  });

  test('Removes the first deletion from the starred messages', async () => {
    const fresh = await startTestService();
    const [cy, di] = await createUsers(fresh, 'Cy', 'Di');
    const id = await cy.sendDirect([di.userId], 'psst');
    await di.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    expect((await di.register()).snapshot.starred_messages).toEqual([id]);
    expect((await remove(cy, id)).status).toBe(200);
    expect((await di.register()).snapshot.starred_messages).toEqual([]);
  });

  test('Notifies later users who could read it, and no user who has left', async () => {
    const [left, back] = await createUsers(service, 'Left', 'Back');
    for (const params of [{}, { invite_only: true, history_public_to_subscribers: true }]) {
      const place = await createChannel(service, [ada, bo], params);
      const id = await ada.send(place.name, 'a', 'hi');
      await ada.subscribe(place.name, { principals: [guest.userId, left.userId, back.userId] });
      for (const person of [left, back])
        await person.delete('/users/me/subscriptions', { subscriptions: [place.name] });
      await ada.subscribe(place.name, { principals: [back.userId] });
      const queues = await listenAll([guest, back, left]);
      await remove(ada, id);
      const received = await Promise.all(queues.map((queue) => queue.drain()));
      const deletion = [{ type: 'delete_message', message_id: id }];
      // Every member reads a public channel.
      expect(received).toMatchObject([deletion, deletion, params.invite_only ? [] : deletion]);
    }
  });

  test('Sends one event for many messages, or one each to older clients', async () => {
    const id = await send();
    const direct = await ada.sendDirect([bo.userId], 'psst');
    const event_types = ['delete_message'];
    const old = await bo.listen({ event_types });
    const bulk = await bo.listen({ event_types, ...capabilities });
    await remove(ada, id);
    await remove(ada, direct);
    const place = { message_type: 'stream', stream_id: channel.channelId, topic: 'a' };
    const type = 'delete_message';
    expect(await old.drain()).toEqual([
      { id: expect.any(Number), type, ...place, message_id: id },
      { id: expect.any(Number), type, message_type: 'private', message_id: direct },
    ]);
    expect(await bulk.drain()).toMatchObject([{ message_ids: [id] }, { message_ids: [direct] }]);
  });

  test('Leaves the message before it as the newest of its topic and conversation', async () => {
    const ids = [await send(), await send()];
    const directs = [await ada.sendDirect([bo.userId], '1'), await ada.sendDirect([bo.userId], '2')];
    await remove(ada, ids[1] ?? 0);
    await remove(ada, directs[1] ?? 0);
    expect(await topicsOf(bo, channel)).toEqual([{ name: 'a', max_id: ids[0] }]);
    const { recent_private_conversations: recent } = (await bo.register()).snapshot;
    expect(recent).toContainEqual({ user_ids: [ada.userId], max_message_id: directs[0] });
    await remove(ada, ids[0] ?? 0);
    expect(await topicsOf(bo, channel)).toEqual([]);
  });

  test('Reaches readers of digests too', async () => {
    const ids = [await send(), await send(), await send()];
    await maintainLog(service.services);
    await expectConsistentSnapshot(service, [ada, bo, guest], async () => {
      await remove(ada, ids[1] ?? 0);
      await maintainLog(service.services);
    });
  });

  test('Hides it from a queue that polls late', async () => {
    const queue = await bo.listen({ event_types: ['message', 'delete_message'] });
    const id = await send('a', 'secret');
    await remove(ada, id);
    expect((await queue.drain()).map(({ type }) => type)).toEqual(['delete_message']);
  });

  test('Works for its author in time, for the owner of the bot that sent it, and for administrators', async () => {
    const robot = await createUser(service, 'Robot');
    await robot.subscribe(channel.name);
    await service.makeBot(robot, bo);
    const byBot = await robot.send(channel.name, 'a', 'beep');
    const id = await send();
    for (const client of [bo, guest])
      expect((await remove(client, id)).body.msg).toBe("You don't have permission to delete this message");
    expect((await remove(ada, byBot)).status).toBe(400);
    expect((await remove(bo, byBot)).status).toBe(200);
    service.advance(601_000);
    expect((await remove(ada, id)).body.msg).toBe('The time limit for deleting this message has passed');
    await service.owner.subscribe(channel.name);
    expect((await remove(service.owner, id)).status).toBe(200);
  });

  test('Obeys the settings of organization and channel', async () => {
    const id = await send();
    await service.owner.patch('/realm', { can_delete_own_message_group: { new: 2 } });
    expect((await remove(ada, id)).status).toBe(400);
    const mine = { direct_members: [bo.userId], direct_subgroups: [] };
    const path = `/streams/${channel.channelId}`;
    await service.owner.patch(path, { can_delete_any_message_group: { new: mine } });
    expect((await remove(bo, id)).status).toBe(200);
    expect((await ada.get(`/messages/${id}`)).status).toBe(400);
    await service.owner.patch('/realm', { can_delete_own_message_group: { new: 7 } });
  });

  test('Costs a few units', async () => {
    const id = await send('a', 'x'.repeat(200));
    await send();
    expect((await unitsOf(service, () => remove(ada, id))).write).toBeLessThanOrEqual(16);
  });
});

beforeEach(async () => {
  channel = await createChannel(service, [ada, bo, guest]);
});

describe('Deleting a topic', () => {
  const removeTopic = (client: Client, topic: string) =>
    client.post(`/streams/${channel.channelId}/delete_topic`, { topic_name: topic });
  const removeWhole = async (topic: string) =>
    expect((await removeTopic(service.owner, topic)).body).toMatchObject({ complete: true });

  test('Deletes its messages, and reports when all are gone', async () => {
    for (let n = 0; n < 3; n++) await send('gone', `${n}`);
    const kept = await send('kept');
    await service.owner.subscribe(channel.name);
    await expectConsistentSnapshot(service, [service.owner, ada, bo, guest], async () => {
      const { status, body } = await removeTopic(service.owner, 'Gone');
      expect([status, body.complete]).toEqual([200, true]);
    });
    expect(await topicsOf(bo, channel)).toEqual([{ name: 'kept', max_id: kept }]);
    await removeWhole('gone');
  });

  test('Makes a message of another topic the first of its channel, and notifies readers', async () => {
    const next = await send('kept');
    await service.owner.subscribe(channel.name);
    const queue = await bo.listen();
    await removeWhole('channel events');
    await expectFirst(queue, next);
  });

  test('Leaves messages from before the caller subscribed, if the history is protected', async () => {
    const settings = { invite_only: true, history_public_to_subscribers: false };
    channel = await createChannel(service, [ada], settings);
    const before = await send('old', 'unread by others');
    await ada.subscribe(channel.name, { principals: [service.owner.userId] });
    const after = await send('old', 'read by all');
    await removeWhole('old');
    expect((await ada.get(`/messages/${before}`)).status).toBe(200);
    expect((await ada.get(`/messages/${after}`)).status).toBe(400);
  });

  test('Requires the right to delete any message of the channel', async () => {
    await send('gone');
    const { status, body } = await removeTopic(ada, 'gone');
    expect([status, body.msg]).toEqual([400, "You don't have permission to delete this message"]);
    channel = await createChannel(service, [ada], { invite_only: true });
    const kept = await send('a', 'for subscribers');
    for (const stranger of [bo, service.owner])
      expect((await removeTopic(stranger, 'a')).body.msg).toBe('Invalid channel ID');
    expect((await ada.get(`/messages/${kept}`)).status).toBe(200);
  });

  test('Goes from the newest to the oldest, and reports if one call was not enough', async () => {
    await service.owner.subscribe(channel.name);
    const oldest = await send('long', 'a'.repeat(10_000));
    const ids = [oldest, ...(await sendAgain(service.services, [oldest], 130))];
    const queue = await service.owner.listen({ event_types: ['delete_message'], ...capabilities });
    expect((await removeTopic(service.owner, 'long')).body.complete).toBe(false);
    await removeWhole('long');
    const gone = (await queue.drain()).map(({ message_ids }) => message_ids);
    expect(gone.at(-1)).toEqual(ids.slice(0, 3));
    expect(gone.flat().toSorted((a, b) => a - b)).toEqual(ids);
  });

  test('Does nothing if another user deleted the messages meanwhile', async () => {
    await service.owner.subscribe(channel.name);
    const id = await send('gone');
    const queue = await bo.listen({ event_types: ['delete_message'], ...capabilities });
    const isRead = reads(logKeys.entry(id));
    let end = 0;
    interrupt(service, { findMany: (some) => some.some((key) => isRead(key)) }, async () => {
      await service.owner.delete(`/messages/${id}`);
      end = await readCounter(service.services.table);
    });
    await removeWhole('gone');
    expect(await readCounter(service.services.table)).toBe(end);
    expect((await queue.drain()).map(({ message_ids }) => message_ids)).toEqual([[id]]);
  });

  test('Costs a few units for each message', async () => {
    await service.owner.subscribe(channel.name);
    for (let n = 0; n < 80; n++) await send('many', `${n}`);
    expect((await unitsOf(service, () => removeWhole('many'))).write / 80).toBeLessThan(7);
    await send('one');
    await service.settle();
    const release = holdJobs(service);
    expect((await unitsOf(service, () => removeWhole('one'))).read).toBeLessThanOrEqual(20);
    await release();
  });
});
