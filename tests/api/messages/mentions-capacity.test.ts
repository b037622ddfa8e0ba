import { beforeAll, expect, test } from 'vitest';
import { groupKeys } from '#shared/table/keys/groups.ts';
import { memberChunkOf } from '#shared/table/keys/key.ts';
import { writeInBatches } from '#tests/harness/bulk-people.ts';
import type { Client } from '#tests/harness/client.ts';
import { createChannel, createUsers, type TestChannel } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { flagsOf } from '../alert-words/alert-word-calls.ts';
import { createGroup } from '../user-groups/group-calls.ts';

let service: TestService;
let ada: Client;
let bo: Client;
let room: TestChannel;
beforeAll(async () => {
  service = await startTestService();
  [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  room = await createChannel(service, [ada, bo]);
  const groupId = await createGroup(ada, [bo], { name: 'Crowd' });
  await joinInBulk(groupId, 5_000);
  await post('the first of its topic');
});

/** As if this many people had come into a group. */
async function joinInBulk(groupId: number, size: number): Promise<void> {
  const userIds = Array.from({ length: size }, (_, n) => 1_000 + n);
  const chunks = [...Map.groupBy(userIds, memberChunkOf)];
  await writeInBatches(
    service.services,
    chunks.map(([chunk, ids]) => ({
      kind: 'update',
      key: groupKeys.members(groupId, chunk),
      add: { userIds: new Set(ids) },
    })),
  );
}

const post = (content: string): Promise<number> => ada.send(room.channelId, 'topic', content);

async function unitsOf(work: () => Promise<unknown>): Promise<{ read: number; write: number }> {
  service.meter.reset();
  await work();
  const { read, write } = service.meter;
  return { read, write };
}

test('Mentioning a user by id who follows the topic costs two read units more', async () => {
  const plain = await unitsOf(() => post('hello, you who are there'));
  await post(`hello @**|${bo.userId}**`);
  await service.settle();
  const named = await unitsOf(() => post(`hello @**|${bo.userId}**`));
  expect(named.write).toBe(plain.write);
  expect(named.read - plain.read).toBeLessThanOrEqual(2);
});

test('A message to a group of 5 000 is no larger than others, and its list is written once', async () => {
  const first = await unitsOf(() => post('@*Crowd*'));
  const second = await unitsOf(() => post('@*Crowd*'));
  const plain = await unitsOf(() => post('hello'));
  expect(second.write).toBe(plain.write);
  expect(first.write - plain.write).toBeLessThanOrEqual(2);
  expect(second.read).toBeLessThanOrEqual(20);
});

test('Reading messages to such a group costs one unit more for all of them', async () => {
  const ids = [await post('@*Crowd*'), await post('@*Crowd* again')];
  const page = { anchor: ids[0], num_before: 0, num_after: 5 };
  const plain = await unitsOf(() => ada.get('/messages', { ...page, anchor: 1, num_after: 1 }));
  const mentioned = await unitsOf(() => bo.get('/messages', page));
  expect(mentioned.read - plain.read).toBeLessThanOrEqual(4);
  expect(await flagsOf(bo, ids[1] ?? 0)).toEqual(['mentioned']);
  expect(await flagsOf(ada, ids[1] ?? 0)).toEqual([]);
});

test('A wildcard costs nothing more in a channel with few subscribers', async () => {
  const plain = await unitsOf(() => post('hello'));
  expect(await unitsOf(() => post('@**all**'))).toEqual(plain);
});
