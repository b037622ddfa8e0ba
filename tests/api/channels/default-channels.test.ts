// The operations addDefaultChannel and removeDefaultChannel.
import { describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { join, newName } from './channel-calls.ts';
import { membersOf } from './channel-records.ts';

const service = await startTestService();
const [ada] = await createUsers(service, 'Ada');
const guest = await createUser(service, 'Guest', 600);
const admin = await createUser(service, 'Admin', 200);

const { owner } = service;
const add = (client: Client, stream_id: number) => client.post('/default_streams', { stream_id });
const remove = (stream_id: number) => owner.delete('/default_streams', { stream_id });
const defaultsSeenBy = async (client: Client): Promise<number[]> =>
  (await client.register()).snapshot.realm_default_streams;

describe('A default channel', () => {
  test('Comes to all users except guests, and new accounts are subscribed to it', async () => {
    const channelId = await ada.subscribe(newName());
    const event_types = ['default_streams'];
    const queues = await listenAll([ada, guest], { event_types });
    await expectConsistentSnapshot(service, [owner, ada, guest], () => add(admin, channelId));
    expect(await Promise.all(queues.map((queue) => queue.drain()))).toEqual([
      [{ type: 'default_streams', id: expect.any(Number), default_streams: await defaultsSeenBy(ada) }],
      [],
    ]);
    expect(await defaultsSeenBy(guest)).toEqual([]);
    await add(admin, channelId);
    expect(await queues[0]?.drain()).toEqual([]);
    const newcomer = await createUser(service, 'Newcomer');
    expect((await membersOf(ada, channelId)).body.subscribers).toContain(newcomer.userId);
  });

  test('Must exist, be public and not archived', async () => {
    const secret = await admin.subscribe(newName(), { invite_only: true });
    const archived = await admin.subscribe(newName());
    await admin.delete(`/streams/${archived}`);
    expectRefusal(await add(admin, secret), 'Private channels cannot be made default.');
    for (const channelId of [archived, 99_999])
      expectRefusal(await add(admin, channelId), 'Invalid channel ID');
  });

  test('Appears in both events if two are added at the same instant', async () => {
    for (let round = 0; round < 3; round++) {
      const ids = [await ada.subscribe(newName()), await ada.subscribe(newName())];
      await expectConsistentSnapshot(service, [owner, ada, guest], async () => {
        const replies = await Promise.all([
          ...ids.map((channelId, n) => add(n === 0 ? admin : owner, channelId)),
          join(admin, [newName()], { is_default_stream: true }),
        ]);
        expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
      });
      expect(await defaultsSeenBy(ada)).toEqual(expect.arrayContaining(ids));
    }
  });
});

test('A channel that is removed from the defaults gets no new accounts and keeps its subscribers', async () => {
  const channelId = await owner.subscribe(newName(), { is_default_stream: true });
  const before = await createUser(service, 'Before');
  await expectConsistentSnapshot(service, [owner, ada, guest], () => remove(channelId));
  const after = await createUser(service, 'After');
  const { subscribers } = (await membersOf(ada, channelId)).body;
  expect(subscribers).toContain(before.userId);
  expect(subscribers).not.toContain(after.userId);
  expect(await defaultsSeenBy(ada)).not.toContain(channelId);
});

test('Removing a channel that is no default changes nothing, and an unknown channel is refused', async () => {
  const channelId = await ada.subscribe(newName());
  const queue = await ada.listen({ event_types: ['default_streams'] });
  expect((await remove(channelId)).status).toBe(200);
  expect(await queue.drain()).toEqual([]);
  expectRefusal(await remove(99_999), 'Invalid channel ID');
});
