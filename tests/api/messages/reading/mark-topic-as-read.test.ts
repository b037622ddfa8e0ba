import { expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { flagEvents, unreadOf } from './flags.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', roles.guest);

const mark = (client: Client, channelId: number, topic: string) =>
  client.post('/mark_topic_as_read', { stream_id: channelId, topic_name: topic });

test('Marking a topic as read covers its unread messages, in any letter case of the name', async () => {
  const { name, channelId } = await createChannel(service, [ada, bo]);
  await bo.post('/mark_all_as_read');
  const ids = [await ada.send(name, 'Logo', '1'), await ada.send(name, 'LOGO', '2')];
  const other = await ada.send(name, 'b', '3');
  const unnamed = await ada.send(name, '', '4');
  const queue = await bo.listen();
  const { status, body } = await mark(bo, channelId, ' logo ');
  expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
  expect(await unreadOf(bo)).toEqual([other, unnamed]);
  expect((await mark(bo, channelId, 'general chat')).status).toBe(200);
  expect(await unreadOf(bo)).toEqual([other]);
  expect(flagEvents(await queue.drain()).map(({ messages }) => messages)).toEqual([ids, [unnamed]]);
});

test('Marking a topic as read keeps snapshot and events consistent', async () => {
  const people = [service.owner, bo, guest];
  const { name, channelId } = await createChannel(service, [ada, ...people]);
  await ada.send(name, 'a', '1');
  await expectConsistentSnapshot(service, people, async () => {
    await ada.send(name, 'a', '2');
    await ada.send(name, 'b', '3');
    for (const person of people) await mark(person, channelId, 'a');
  });
});

test('Marking a topic as read fails for a missing topic', async () => {
  const { channelId, name } = await createChannel(service, [ada, bo]);
  await ada.send(name, 'a', '1');
  for (const topic of ['nowhere', 'x'.repeat(61), 'x'.repeat(3_000)])
    expectRefusal(await mark(bo, channelId, topic), `No such topic '${topic}'`);
});

test('Marking a topic as read fails for topics in the protected history before the subscription', async () => {
  const { channelId, name } = await createChannel(service, [ada], {
    invite_only: true,
    history_public_to_subscribers: false,
  });
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
