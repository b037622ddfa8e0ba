import { expect, test } from 'vitest';
import { subscribeInBulk } from '#tests/harness/bulk-people.ts';
import { createChannel, createUsers, type TestChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';

const NOTE = 'Lorem ipsum dolor sit amet, consetetur. '.repeat(5).trim().padEnd(200, '.');
const KILOBYTE = 'Lorem ipsum dolor sit amet, consetetur. '.repeat(26).slice(0, 1024);

const rooms = new Map<number, TestChannel>();
const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
for (const size of [2, 1_000, 10_000]) {
  const room = await createChannel(service, [ada, bo]);
  await subscribeInBulk(service, room.channelId, size - 2);
  rooms.set(size, room);
  await ada.send(room.channelId, 'topic', 'the first of its topic');
}

const roomOf = (size: number): TestChannel => rooms.get(size) ?? { name: '', channelId: 0 };

test('A message of 200 characters costs at most 6 write and 4 read units, whatever the number of subscribers', async () => {
  expect(NOTE).toHaveLength(200);
  const units = [];
  for (const size of [2, 1_000, 10_000])
    units.push(await unitsOf(service, () => ada.send(roomOf(size).channelId, 'topic', NOTE)));
  const [few, many, crowd] = units;
  expect(few?.write).toBeLessThanOrEqual(6);
  expect(few?.read).toBeLessThanOrEqual(4);
  expect(many).toEqual(few);
  expect(crowd).toEqual(few);
});

test('A channel named instead of its id fits into the same budget, and 1 KB costs at most 12 write units', async () => {
  const named = await unitsOf(service, () => ada.send(roomOf(10_000).name, 'topic', NOTE));
  expect(named.write).toBeLessThanOrEqual(6);
  expect(named.read).toBeLessThanOrEqual(4);
  const { write } = await unitsOf(service, () => ada.send(roomOf(10_000).channelId, 'topic', KILOBYTE));
  expect(write).toBeLessThanOrEqual(12);
});

test('Authentication costs at most one read unit', async () => {
  const { read, write } = await unitsOf(service, () =>
    ada.post('/messages', { type: 'nonsense', content: 'x' }),
  );
  expect(read).toBeLessThanOrEqual(1);
  expect(read).toBeGreaterThan(0);
  expect(write).toBe(0);
});
