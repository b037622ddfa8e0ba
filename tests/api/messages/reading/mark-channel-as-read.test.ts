// The operations markChannelAsRead and markTopicAsRead.
import { expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { readCounter } from '#shared/store/log/log.ts';
import type { Client } from '#tests/harness/client.ts';
import { moveLogTo } from '#tests/harness/log.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { added, flag, flagEvents, unreadOf } from './flags.ts';

const POSITIONS_OF_MARKS = 7_000;

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', roles.guest);

const markChannel = (client: Client, channelId: number) =>
  client.post('/mark_stream_as_read', { stream_id: channelId });
const mark = (client: Client, channelId: number, topic: string) =>
  client.post('/mark_topic_as_read', { stream_id: channelId, topic_name: topic });

test('Marking a channel as read covers its unread messages, also ones marked as unread', async () => {
  const { name, channelId } = await createChannel(service, [ada, bo]);
  const other = await createChannel(service, [ada, bo]);
  const old = await ada.send(name, 'a', 'old');
  await bo.post('/mark_all_as_read');
  await flag(bo, [old], 'remove', 'read');
  const [first, second] = [await ada.send(name, 'a', '1'), await ada.send(name, 'b', '2')];
  const elsewhere = await ada.send(other.name, 'a', '3');
  const queue = await bo.listen();
  expect((await markChannel(bo, channelId)).body).toEqual({ result: 'success', msg: '' });
  expect(flagEvents(await queue.drain())).toEqual([added('read', [old, first, second])]);
  expect(await unreadOf(bo)).toEqual([elsewhere]);
});

test('Marking a channel as read scans seven thousand positions of the log at a time, newest first', async () => {
  const { name, channelId } = await createChannel(service, [ada, bo]);
  const { services } = service;
  const next = Math.ceil((await readCounter(services.table)) / POSITIONS_OF_MARKS) + 1;
  const edge = next * POSITIONS_OF_MARKS;
  await moveLogTo(services, edge - 4);
  const last = await ada.send(name, 'a', 'the last one that is read');
  // Its event takes a position too.
  await bo.post('/mark_all_as_read');
  const ids = [await ada.send(name, 'a', '1'), await ada.send(name, 'a', '2')];
  expect([last, ...ids]).toEqual([edge - 3, edge - 1, edge]);
  await flag(bo, [last], 'remove', 'read');
  const queue = await bo.listen();
  expect((await markChannel(bo, channelId)).status).toBe(200);
  const events = flagEvents(await queue.drain()).map(({ messages }) => messages);
  expect(events).toEqual([[edge], [edge - 3, edge - 1]]);
  expect(await unreadOf(bo)).toEqual(expect.not.arrayContaining([last, ...ids]));
});

test('Marking a channel as read writes nothing if nothing is unread or the caller never subscribed', async () => {
  const { channelId } = await createChannel(service, [ada]);
  const queue = await bo.listen();
  const { write } = await unitsOf(service, async () => {
    for (const person of [bo, bo]) expect((await markChannel(person, channelId)).status).toBe(200);
  });
  expect(write).toBe(0);
  expect(await queue.drain()).toEqual([]);
});

test('Marking a channel as read fails in a private channel for an owner who is no subscriber of it', async () => {
  const { channelId } = await createChannel(service, [ada, bo], { invite_only: true });
  expectRefusal(await markChannel(service.owner, channelId), 'Invalid channel ID');
});

test('Marking a topic as read covers its unread messages, in any letter case of the name', async () => {
  const { name, channelId } = await createChannel(service, [ada, bo]);
  await bo.post('/mark_all_as_read');
  const ids = [await ada.send(name, 'Logo', '1'), await ada.send(name, 'LOGO', '2')];
  const other = await ada.send(name, 'b', '3');
  const unnamed = await ada.send(name, '', '4');
  const queue = await bo.listen();
  expect((await mark(bo, channelId, ' logo ')).body).toEqual({ result: 'success', msg: '' });
  expect(await unreadOf(bo)).toEqual([other, unnamed]);
  expect((await mark(bo, channelId, 'general chat')).status).toBe(200);
  expect(await unreadOf(bo)).toEqual([other]);
  expect(flagEvents(await queue.drain()).map(({ messages }) => messages)).toEqual([ids, [unnamed]]);
});

test('Marking a topic and a channel as read keeps snapshot and events consistent', async () => {
  const people = [service.owner, bo, guest];
  const { name, channelId } = await createChannel(service, [ada, ...people]);
  await ada.send(name, 'a', '1');
  await expectConsistentSnapshot(service, people, async () => {
    await ada.send(name, 'a', '2');
    await ada.send(name, 'b', '3');
    for (const person of people) await mark(person, channelId, 'a');
    for (const person of people) await markChannel(person, channelId);
    await ada.send(name, 'b', '4');
  });
});

test('Marking a topic as read fails for a missing topic', async () => {
  const { channelId, name } = await createChannel(service, [ada, bo]);
  await ada.send(name, 'a', '1');
  for (const topic of ['nowhere', 'x'.repeat(61), 'x'.repeat(3_000)])
    expectRefusal(await mark(bo, channelId, topic), `No such topic '${topic}'`);
});

test('Marking a topic as read fails for topics in the protected history before the subscription', async () => {
  const settings = { invite_only: true, history_public_to_subscribers: false };
  const { channelId, name } = await createChannel(service, [ada], settings);
  await ada.send(name, 'before', '1');
  await ada.subscribe(name, { principals: [bo.userId] });
  await ada.send(name, 'after', '2');
  expectRefusal(await mark(bo, channelId, 'before'), "No such topic 'before'");
  expect((await mark(bo, channelId, 'after')).status).toBe(200);
  expect((await mark(ada, channelId, 'before')).status).toBe(200);
});

test('Marking a topic as read fails in a private channel for an owner who is no subscriber of it', async () => {
  const { channelId, name } = await createChannel(service, [ada], { invite_only: true });
  await ada.send(name, 'a', '1');
  expectRefusal(await mark(service.owner, channelId, 'a'), 'Invalid channel ID');
});
