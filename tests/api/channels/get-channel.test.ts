import { expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { newName } from './channel-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const moderator = await createUser(service, 'Moderator', 300);

test('GET returns the same record as the lists of channels', async () => {
  const channelId = await ada.subscribe(newName(), { description: 'Open' });
  await service.settle();
  const { body } = await bo.get('/streams');
  const listed = body.streams.find(({ stream_id }: { stream_id: number }) => stream_id === channelId);
  expect((await bo.get(`/streams/${channelId}`)).body.stream).toEqual(listed);
});

test('A private channel is returned to its subscribers and to administrators', async () => {
  const admin = await createUser(service, 'Admin', 200);
  const name = newName('secret');
  const channelId = await ada.subscribe(name, { invite_only: true });
  for (const client of [ada, service.owner, admin])
    expect((await client.get(`/streams/${channelId}`)).body.stream.name).toBe(name);
  for (const client of [bo, moderator])
    expectRefusal(await client.get(`/streams/${channelId}`), 'Invalid channel ID');
});

test('A private channel is known to the members of its groups, which distinguish full members from new ones', async () => {
  await service.owner.patch('/realm', { waiting_period_threshold: 10 });
  const channelId = await ada.subscribe(newName(), { invite_only: true, can_subscribe_group: 5 });
  const statusFor = async (client: typeof bo) => (await client.get(`/streams/${channelId}`)).status;
  expect([await statusFor(bo), await statusFor(moderator)]).toEqual([400, 200]);
  service.advance(11 * 24 * 3600 * 1000);
  expect(await statusFor(bo)).toBe(200);
});
