import { expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import type { EventQueue } from '#tests/harness/client.ts';
import { moveLogTo } from '#tests/harness/log.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { liveIn, VirtualTime } from '#tests/harness/virtual-time.ts';

const LOOK_MS = 50;
const LOOKS = 10;

const service = await startTestService({
  pollHoldMs: LOOKS * LOOK_MS,
  lookSchedule: [{ fromAgeMs: 0, everyMs: LOOK_MS }],
});
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const costOf = (work: () => Promise<unknown>) => unitsOf(service, work);

/** A poll in a virtual time, which passes only while it waits. */
async function pollToItsEnd(queue: EventQueue): Promise<void> {
  const { clock } = service.services;
  const { nowMs, sleep } = clock;
  const time = new VirtualTime(clock.nowMs());
  liveIn(time, service.services);
  await time.start(async () => void (await queue.poll()));
  await time.passUntil(time.nowMs() + LOOKS * LOOK_MS);
  Object.assign(clock, { nowMs, sleep });
}

const heads: [string, number][] = [
  ['in the middle of a block', 1_500],
  ['near the end of a block', 1_990],
];
test.each(heads)(
  'Each look of an idle poll costs at most half a read unit, and waiting costs one write unit: %s',
  async (_where, head) => {
    await moveLogTo(service.services, head);
    const queue = await ada.register();
    await queue.drain();
    const single = await costOf(() => queue.poll({ dont_block: true }));
    const many = await costOf(() => pollToItsEnd(queue));
    // The right to wait is half a unit more.
    expect(many.read - single.read).toBe(0.5 * (LOOKS + 1));
    expect(single.read).toBeLessThanOrEqual(3);
    expect(single.write).toBe(0);
    expect(many.write).toBe(1);
  },
);

test('An idle queue costs at most one write unit a minute', async () => {
  const queue = await ada.register();
  const { write } = await costOf(async () => {
    for (let second = 0; second < 300; second += 20) {
      service.advance(20_000);
      await queue.drain();
    }
  });
  expect(write).toBeGreaterThan(0);
  expect(write).toBeLessThanOrEqual(5);
});

test('Register costs little more than reading the data that it returns', async () => {
  const people = await createUsers(service, 'Cy', 'Di', 'Ed', 'Flo', 'Gus');
  const rooms = [];
  for (let count = 0; count < 5; count++) rooms.push(await createChannel(service, [ada, bo, ...people]));
  for (const { channelId } of rooms)
    for (const sender of [bo, ...people])
      await sender.send(channelId, 'topic', 'A sentence of an average length.');
  await service.settle();
  await sweep(service.services);
  let bytes = 0;
  const { read } = await costOf(async () => {
    const { body } = await ada.post('/register', { include_subscribers: true });
    bytes = Buffer.byteLength(JSON.stringify(body));
  });
  expect(read).toBeLessThanOrEqual((2 * bytes) / 8192 + 10);
});

test('Subscriptions to many channels cost by their size, not a unit for each channel', async () => {
  const CHANNELS = 50;
  const subscriptions = Array.from({ length: CHANNELS }, (_, n) => ({ name: `many ${n}` }));
  const principals = [ada.userId, bo.userId];
  await ada.post('/users/me/subscriptions', { subscriptions, principals });
  await service.settle();
  const register = async (params: object) =>
    (await costOf(() => ada.register({ fetch_event_types: ['subscription'], ...params }))).read;
  const without = await register({});
  expect(await register({ include_subscribers: true })).toBeLessThanOrEqual(without + 3);
  const list = (include_subscribers: boolean) =>
    costOf(() => ada.get('/users/me/subscriptions', { include_subscribers }));
  expect((await list(true)).read).toBeLessThanOrEqual((await list(false)).read + 3);
  const { snapshot } = await ada.register({ include_subscribers: true });
  const many = snapshot.subscriptions.filter(({ name }: { name: string }) => name.startsWith('many'));
  expect(many).toHaveLength(CHANNELS);
  for (const { subscribers } of many) expect(subscribers).toEqual(principals);
});

test('A poll checks once whether its account reads a channel, however many messages arrive there', async () => {
  const room = await createChannel(service, [ada, bo]);
  const queue = await ada.register();
  await queue.drain();
  const readUnits = async (messages: number): Promise<number> => {
    for (let n = 0; n < messages; n++) await bo.send(room.channelId, 'topic', 'hello');
    return (await costOf(() => queue.poll({ dont_block: true }))).read;
  };
  const single = await readUnits(1);
  expect((await readUnits(11)) - single).toBeLessThanOrEqual(2);
});
