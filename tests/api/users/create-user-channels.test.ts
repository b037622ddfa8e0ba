import { expect, test } from 'vitest';
import { listEntries, readCounter } from '#shared/store/log/log.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

/** More than an account gets with its own transaction, and than one step of the job adds. */
const CHANNELS = 45;

const service = await startTestService();
const { owner } = service;
const channelIds: number[] = [];
for (let n = 0; n < CHANNELS; n++) {
  const channelId = await owner.subscribe(`default ${n}`);
  await owner.post('/default_streams', { stream_id: channelId });
  channelIds.push(channelId);
}
await service.settle();

let count = 0;
const create = async (): Promise<number> => {
  const email = `new${++count}@example.com`;
  const { status, body } = await owner.post('/users', { email, password: 'long enough', full_name: 'New' });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.user_id;
};
const channelsOf = async (userId: number): Promise<number[]> => {
  const { body } = await owner.get('/users/me/subscriptions', { include_subscribers: true });
  return body.subscriptions
    .filter(({ subscribers }: { subscribers: number[] }) => subscribers.includes(userId))
    .map(({ stream_id }: { stream_id: number }) => stream_id)
    .sort((a: number, b: number) => a - b);
};
/** An account that is deactivated, and then something else happens, before any job has begun. */
async function deactivateNew(happens?: (userId: number) => Promise<unknown>): Promise<number> {
  const handOver = holdJobs(service);
  const userId = await create();
  await owner.delete(`/users/${userId}`);
  await happens?.(userId);
  await handOver();
  await service.settle();
  return userId;
}
const reactivate = async (userId: number): Promise<void> => {
  expect((await owner.post(`/users/${userId}/reactivate`)).status).toBe(200);
  await service.settle();
};

test('A new account joins all default channels, twenty at a time', async () => {
  const { table } = service.services;
  const before = await readCounter(table);
  const userId = await create();
  await service.settle();
  expect(await channelsOf(userId)).toEqual(channelIds);
  const entries = await listEntries(table, before + 1, await readCounter(table));
  const joinedAt = entries.map(({ events }) => events.filter(({ payload: { op } }) => op === 'peer_add'));
  expect(joinedAt.map(({ length }) => length).filter(Boolean)).toEqual([20, 20, CHANNELS - 40]);
});

test('An account that is deactivated before it joined all channels is in none, and in all after a reactivation', async () => {
  await expectConsistentSnapshot(service, [owner], async () => {
    const userId = await deactivateNew();
    expect(await channelsOf(userId)).toEqual([]);
    await reactivate(userId);
    expect(await channelsOf(userId)).toEqual(channelIds);
  });
});

test('An account that is deactivated and reactivated before it joined any is in all of its channels', async () => {
  const userId = await deactivateNew((id) => owner.post(`/users/${id}/reactivate`));
  expect(await channelsOf(userId)).toEqual(channelIds);
});

test('An account that was deactivated first does not join a channel that was archived meanwhile', async () => {
  const archived = channelIds.at(-1);
  const userId = await deactivateNew(() => owner.delete(`/streams/${archived}`));
  await reactivate(userId);
  expect(await channelsOf(userId)).toEqual(channelIds.slice(0, -1));
  const { status, body } = await owner.get(`/users/${userId}/subscriptions/${archived}`);
  expect([status, body.is_subscribed]).toEqual([200, false]);
});
