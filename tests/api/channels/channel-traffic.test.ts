import { expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { join, newName } from './channel-calls.ts';

const DAY_MS = 24 * 3600 * 1000;

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

const countDaily = () => sweep(service.services);
const statisticsOf = async (channelId: number) => {
  const { stream } = (await bo.get(`/streams/${channelId}`)).body;
  return [stream.stream_weekly_traffic, stream.is_recently_active];
};

test('A channel has weekly traffic after its fourth week, averaged over four weeks with two digits', async () => {
  const name = newName();
  const channelId = await ada.subscribe(name);
  await join(ada, [name], { principals: [guest.userId] });
  await ada.send(name, 'x', 'long ago');
  await service.settle();
  await countDaily();
  expect(await statisticsOf(channelId)).toEqual([null, true]);
  service.advance(29 * DAY_MS);
  for (let n = 0; n < 45; n++) await ada.send(name, 'x', `number ${n}`);
  await expectConsistentSnapshot(service, [service.owner, ada, guest], countDaily);
  expect(await statisticsOf(channelId)).toEqual([11, true]);
  const queue = await ada.listen({ event_types: ['stream'] });
  await countDaily();
  expect(await queue.drain()).toEqual([]);
});

test('A channel without a message in half a year is not active, until there is one', async () => {
  const name = newName();
  const channelId = await ada.subscribe(name);
  await service.settle();
  service.advance(181 * DAY_MS);
  await expectConsistentSnapshot(service, [ada, bo], countDaily);
  expect(await statisticsOf(channelId)).toEqual([0, false]);
  await expectConsistentSnapshot(service, [ada, bo], () => ada.send(name, 'x', 'awake again'));
  expect((await statisticsOf(channelId))[1]).toBe(true);
});

test('An active channel sends no event for a message on another day, nor when the sweep checks it again', async () => {
  const name = newName();
  await ada.subscribe(name);
  await service.settle();
  await ada.send(name, 'x', 'the first');
  const queue = await bo.listen({ event_types: ['stream'], idle_queue_timeout: 7 * 24 * 3600 });
  await countDaily();
  service.advance(2 * DAY_MS);
  await ada.send(name, 'x', 'two days later');
  await countDaily();
  expect((await queue.drain()).map(({ property }) => property)).toEqual([]);
});
