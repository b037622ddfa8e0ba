import { afterAll, expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { archiveChannel, createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { newName } from './channel-calls.ts';

const service = await startTestService();
const [ada] = await createUsers(service, 'Ada');
const guest = await createUser(service, 'Guest', 600);
afterAll(() => service.stop());

test('A channel that is removed from the defaults gets no new accounts and keeps its subscribers', async () => {
  const channelId = await service.owner.subscribe(newName(), { is_default_stream: true });
  const before = await createUser(service, 'Before');
  await expectConsistentSnapshot(service, [service.owner, ada, guest], async () => {
    const { status } = await service.owner.delete('/default_streams', { stream_id: channelId });
    expect(status).toBe(200);
  });
  const after = await createUser(service, 'After');
  const { subscribers } = (await ada.get(`/streams/${channelId}/members`)).body;
  expect(subscribers).toContain(before.userId);
  expect(subscribers).not.toContain(after.userId);
  expect((await ada.register()).snapshot.realm_default_streams).toEqual([]);
});

test('Removing a channel that is no default changes nothing, and an unknown channel is refused', async () => {
  const channelId = await ada.subscribe(newName());
  const queue = await ada.listen({ event_types: ['default_streams'] });
  expect((await service.owner.delete('/default_streams', { stream_id: channelId })).status).toBe(200);
  expect(await queue.drain()).toEqual([]);
  expectRefusal(await service.owner.delete('/default_streams', { stream_id: 99_999 }), 'Invalid channel ID');
});

test('Removing a private or archived channel, which cannot be a default, changes nothing', async () => {
  const { channelId: hidden } = await createChannel(service, [service.owner], { invite_only: true });
  const archived = await createChannel(service, [service.owner]);
  await archiveChannel(service, archived);
  for (const stream_id of [hidden, archived.channelId])
    expect((await service.owner.delete('/default_streams', { stream_id })).status).toBe(200);
});
