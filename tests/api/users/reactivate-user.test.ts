import { describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { createChannel, createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createRoles, userAs } from './accounts.ts';

const service = await startTestService();
const { owner, administrator, member, guest } = await createRoles(service);

const newPerson = () => createUser(service, 'Person');
const reactivate = async (by: Client, person: Client) => {
  const reply = await by.post(`/users/${person.userId}/reactivate`);
  await service.settle();
  if (reply.status === 200) await service.renewKey(person);
  return reply;
};
const recordOf = (user: Client) => userAs(owner, user);
const subscriptionsOf = async (person: Client) =>
  (await person.get('/users/me/subscriptions')).body.subscriptions.map(
    ({ stream_id, color }: { stream_id: number; color: string }) => [stream_id, color],
  );

describe('A reactivated user', () => {
  test('Signs in again and is in the same channels, and every user is notified', async () => {
    const person = await newPerson();
    await createChannel(service, [member, person, guest]);
    await createChannel(service, [member, person], { invite_only: true });
    const left = await createChannel(service, [member, person]);
    await person.delete('/users/me/subscriptions', { subscriptions: [left.name] });
    const before = await subscriptionsOf(person);
    await service.deactivate(person);
    await expectConsistentSnapshot(service, [owner, administrator, member, guest], async () => {
      const { status, body } = await reactivate(administrator, person);
      expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
    });
    expect(await subscriptionsOf(person)).toEqual(before);
    expect((await recordOf(person)).is_active).toBe(true);
  });

  test('Does not return to a channel that they left after an earlier reactivation', async () => {
    const person = await newPerson();
    const { name } = await createChannel(service, [member, person]);
    await service.deactivate(person);
    await reactivate(administrator, person);
    await person.delete('/users/me/subscriptions', { subscriptions: [name] });
    await service.deactivate(person);
    await reactivate(administrator, person);
    expect(await subscriptionsOf(person)).toEqual([]);
  });

  test('Keeps every subscription if the jobs of the deactivation run after the reactivation', async () => {
    const people = await Promise.all(Array.from({ length: 3 }, newPerson));
    const { name, channelId } = await createChannel(service, [member, ...people]);
    for (let n = 0; n < 24; n++) await createChannel(service, [member, ...people]);
    const before = await Promise.all(people.map(subscriptionsOf));
    const release = holdJobs(service);
    for (const { userId } of people) {
      await administrator.delete(`/users/${userId}`);
      await administrator.post(`/users/${userId}/reactivate`);
    }
    await release();
    for (const person of people) await service.renewKey(person);
    expect(await Promise.all(people.map(subscriptionsOf))).toEqual(before);
    const { subscribers } = (await member.get(`/streams/${channelId}/members`)).body;
    expect(subscribers).toEqual(expect.arrayContaining(people.map(({ userId }) => userId)));
    const queue = await people[0]?.listen({ event_types: ['message'] });
    await member.send(name, 'news', 'for all who are back');
    expect(await queue?.drain()).toHaveLength(1);
  });

  test('Gets the channels as they return if they register at once', async () => {
    const person = await newPerson();
    await createChannel(service, [member, person]);
    await service.deactivate(person);
    await expectConsistentSnapshot(service, [member], async () => {
      await owner.post(`/users/${person.userId}/reactivate`);
      await service.renewKey(person);
      await expectConsistentSnapshot(service, [person], () => service.settle());
    });
  });

  test('Did not receive messages of the time between', async () => {
    const person = await newPerson();
    const { channelId } = await createChannel(service, [member, person], { invite_only: true });
    const before = await member.send(channelId, 'topic', 'before');
    await service.deactivate(person);
    const away = await member.send(channelId, 'topic', 'while away');
    await reactivate(owner, person);
    const after = await member.send(channelId, 'topic', 'after');
    const { body } = await person.get('/messages', { message_ids: [before, away, after] });
    expect(body.messages.map(({ id }: { id: number }) => id)).toEqual([before, after]);
    const { snapshot } = await person.register();
    const ids = snapshot.unread_msgs.streams
      .filter(({ topic }: { topic: string }) => topic === 'topic')
      .flatMap(({ unread_message_ids }: { unread_message_ids: number[] }) => unread_message_ids);
    expect(ids).toEqual([before, after]);
  });

  test('May leave and return many times, and at once', async () => {
    const person = await newPerson();
    const { channelId } = await createChannel(service, [member, person]);
    for (let round = 0; round < 3; round++) {
      const path = `/users/${person.userId}`;
      await Promise.all([owner.delete(path), owner.post(`${path}/reactivate`)]);
      await service.settle();
    }
    await reactivate(owner, person);
    const { body } = await member.get(`/streams/${channelId}/members`);
    expect(body.subscribers).toEqual([member.userId, person.userId]);
    expect((await member.get(`/streams/${channelId}`)).body.stream.subscriber_count).toBe(2);
  });
});

describe('A reactivated bot', () => {
  test('Stays with its owner, or goes to the caller if the owner is deactivated', async () => {
    const [keeper, leaver] = [await newPerson(), await newPerson()];
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

test('Reactivating an active user changes nothing, and sends no event', async () => {
  const queue = await guest.listen();
  expect((await reactivate(owner, member)).status).toBe(200);
  expect(await queue.drain()).toEqual([]);
});
