import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { createChannel, createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();
const { owner } = service;
const administrator = await createUser(service, 'Administrator', roles.administrator);
const member = await createUser(service, 'Member');
const guest = await createUser(service, 'Guest', roles.guest);

const person = () => createUser(service, 'Person');
const reactivate = async (by: Client, one: Client) => {
  const reply = await by.post(`/users/${one.userId}/reactivate`);
  await service.settle();
  if (reply.status === 200) await service.renewKey(one);
  return reply;
};
const recordOf = async ({ userId }: Client) => (await owner.get(`/users/${userId}`)).body.user;
const subscriptionsOf = async (one: Client) =>
  (await one.get('/users/me/subscriptions')).body.subscriptions.map(
    ({ stream_id, color }: { stream_id: number; color: string }) => [stream_id, color],
  );

describe('A reactivated user', () => {
  test('Signs in again and is in the same channels, and every user is notified', async () => {
    const one = await person();
    await createChannel(service, [member, one, guest]);
    await createChannel(service, [member, one], { invite_only: true });
    const left = await createChannel(service, [member, one]);
    await one.delete('/users/me/subscriptions', { subscriptions: [left.name] });
    const before = await subscriptionsOf(one);
    await service.deactivate(one);
    await expectConsistentSnapshot(service, [owner, administrator, member, guest], async () => {
      const { status, body } = await reactivate(administrator, one);
      expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
    });
    expect(await subscriptionsOf(one)).toEqual(before);
    expect((await recordOf(one)).is_active).toBe(true);
  });

  test('Does not return to a channel that they left after an earlier reactivation', async () => {
    const one = await person();
    const { name } = await createChannel(service, [member, one]);
    await service.deactivate(one);
    await reactivate(administrator, one);
    await one.delete('/users/me/subscriptions', { subscriptions: [name] });
    await service.deactivate(one);
    await reactivate(administrator, one);
    expect(await subscriptionsOf(one)).toEqual([]);
  });

  test('Keeps every subscription if the jobs of the deactivation run after the reactivation', async () => {
    const people = await Promise.all(Array.from({ length: 3 }, person));
    const { name, channelId } = await createChannel(service, [member, ...people]);
    for (let n = 0; n < 24; n++) await createChannel(service, [member, ...people]);
    const before = await Promise.all(people.map(subscriptionsOf));
    const release = holdJobs(service);
    for (const { userId } of people) {
      await administrator.delete(`/users/${userId}`);
      await administrator.post(`/users/${userId}/reactivate`);
    }
    await release();
    for (const one of people) await service.renewKey(one);
    expect(await Promise.all(people.map(subscriptionsOf))).toEqual(before);
    const { subscribers } = (await member.get(`/streams/${channelId}/members`)).body;
    expect(subscribers).toEqual(expect.arrayContaining(people.map(({ userId }) => userId)));
    const queue = await people[0]?.listen({ event_types: ['message'] });
    await member.send(name, 'news', 'for all who are back');
    expect(await queue?.drain()).toHaveLength(1);
  });

  test('Gets the channels as they return if they register at once', async () => {
    const one = await person();
    await createChannel(service, [member, one]);
    await service.deactivate(one);
    await expectConsistentSnapshot(service, [member], async () => {
      await owner.post(`/users/${one.userId}/reactivate`);
      await service.renewKey(one);
      await expectConsistentSnapshot(service, [one], () => service.settle());
    });
  });

  test('Did not receive messages of the time between', async () => {
    const one = await person();
    const { channelId } = await createChannel(service, [member, one], { invite_only: true });
    const before = await member.send(channelId, 'topic', 'before');
    await service.deactivate(one);
    const away = await member.send(channelId, 'topic', 'while away');
    await reactivate(owner, one);
    const after = await member.send(channelId, 'topic', 'after');
    const { body } = await one.get('/messages', { message_ids: [before, away, after] });
    expect(body.messages.map(({ id }: { id: number }) => id)).toEqual([before, after]);
    const { snapshot } = await one.register();
    const ids = snapshot.unread_msgs.streams
      .filter(({ topic }: { topic: string }) => topic === 'topic')
      .flatMap(({ unread_message_ids }: { unread_message_ids: number[] }) => unread_message_ids);
    expect(ids).toEqual([before, after]);
  });

  test('May leave and return many times, and at once', async () => {
    const one = await person();
    const { channelId } = await createChannel(service, [member, one]);
    for (let round = 0; round < 3; round++) {
      await Promise.all([
        owner.delete(`/users/${one.userId}`),
        owner.post(`/users/${one.userId}/reactivate`),
      ]);
      await service.settle();
    }
    await reactivate(owner, one);
    const { body } = await member.get(`/streams/${channelId}/members`);
    expect(body.subscribers).toEqual([member.userId, one.userId]);
    const found = (await member.get('/streams')).body.streams.find(
      ({ stream_id }: { stream_id: number }) => stream_id === channelId,
    );
    expect(found.subscriber_count).toBe(2);
  });
});

describe('A reactivated bot', () => {
  test('Stays with its owner, or goes to the caller if the owner is deactivated', async () => {
    const [keeper, leaver] = [await person(), await person()];
    const [kept, orphan] = [await createUser(service, 'Robot'), await createUser(service, 'Robot')];
    await service.makeBot(kept, keeper);
    await service.makeBot(orphan, leaver);
    await service.deactivate(kept);
    await service.deactivate(leaver);
    await expectConsistentSnapshot(service, [owner, administrator, keeper, guest], async () => {
      await reactivate(administrator, kept);
      await reactivate(administrator, orphan);
    });
    expect(await recordOf(kept)).toMatchObject({ is_active: true, bot_owner_id: keeper.userId });
    expect(await recordOf(orphan)).toMatchObject({ is_active: true, bot_owner_id: administrator.userId });
    expect((await recordOf(leaver)).is_active).toBe(false);
  });
});

describe('Reactivating a user', () => {
  test('Changes nothing for an active user, and sends no event', async () => {
    const queue = await guest.listen();
    expect((await reactivate(owner, member)).status).toBe(200);
    expect(await queue.drain()).toEqual([]);
  });
});
