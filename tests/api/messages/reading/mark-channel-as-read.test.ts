import { expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { moveLogTo } from '#tests/harness/log.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { flag, flagEvents, unreadOf } from './flags.ts';

const POSITIONS_OF_MARKS = 7_000;

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', roles.guest);

test('Marking a channel as read covers its unread messages, also those marked as unread', async () => {
  const { name, channelId } = await createChannel(service, [ada, bo]);
  const other = await createChannel(service, [ada, bo]);
  const old = await ada.send(name, 'a', 'old');
  await bo.post('/mark_all_as_read');
  await flag(bo, [old], 'remove', 'read');
  const [one, two] = [await ada.send(name, 'a', '1'), await ada.send(name, 'b', '2')];
  const elsewhere = await ada.send(other.name, 'a', '3');
  const queue = await bo.listen();
  const { status, body } = await bo.post('/mark_stream_as_read', { stream_id: channelId });
  expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
  expect(flagEvents(await queue.drain())).toEqual([
    {
      type: 'update_message_flags',
      op: 'add',
      operation: 'add',
      flag: 'read',
      messages: [old, one, two],
      all: false,
    },
  ]);
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
  expect((await bo.post('/mark_stream_as_read', { stream_id: channelId })).status).toBe(200);
  const events = flagEvents(await queue.drain()).map(({ messages }) => messages);
  expect(events).toEqual([[edge], [edge - 3, edge - 1]]);
  expect(await unreadOf(bo)).toEqual(expect.not.arrayContaining([last, ...ids]));
});

test('Marking a channel as read writes nothing if nothing is unread or the caller never subscribed', async () => {
  const { channelId } = await createChannel(service, [ada]);
  const queue = await bo.listen();
  service.meter.reset();
  for (const person of [bo, bo])
    expect((await person.post('/mark_stream_as_read', { stream_id: channelId })).status).toBe(200);
  expect(service.meter.write).toBe(0);
  expect(await queue.drain()).toEqual([]);
});

test('Marking a channel as read keeps snapshot and events consistent', async () => {
  const people = [service.owner, bo, guest];
  const { name, channelId } = await createChannel(service, [ada, ...people]);
  await ada.send(name, 'a', '1');
  await expectConsistentSnapshot(service, people, async () => {
    await ada.send(name, 'b', '2');
    for (const person of people) await person.post('/mark_stream_as_read', { stream_id: channelId });
    await ada.send(name, 'b', '3');
  });
});

test('Marking a channel as read fails in a private channel for an owner who is no subscriber of it', async () => {
  const { channelId } = await createChannel(service, [ada, bo], { invite_only: true });
  expectRefusal(
    await service.owner.post('/mark_stream_as_read', { stream_id: channelId }),
    'Invalid channel ID',
  );
});
