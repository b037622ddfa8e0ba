// The operations deactivateOwnUser and deactivateUser.
import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { roles } from '#shared/domain/users/user.ts';
import type { Client, EventQueue } from '#tests/harness/client.ts';
import { expectBadQueue, expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { schedule } from '../scheduled-messages/schedules.ts';
import { createRoles, expectDeactivated, userAs } from './accounts.ts';

const service = await startTestService();
const { owner, administrator, moderator, member, guest } = await createRoles(service);

const newPerson = () => createUser(service, 'Person');
const deactivate = async (by: Client, { userId }: Client) => {
  const reply = await by.delete(`/users/${userId}`);
  await service.settle();
  return reply;
};
const isActive = async (user: Client, reader = owner) => (await userAs(reader, user)).is_active;
const unauthorized = { code: 'UNAUTHORIZED_PRINCIPAL' };

describe('The right to deactivate a user', () => {
  test('Belongs to administrators; others cannot even learn which users exist', async () => {
    const person = await newPerson();
    for (const by of [moderator, member, guest, person])
      for (const id of [person.userId, 999_999, by.userId])
        expectRefusal(await by.delete(`/users/${id}`), 'Insufficient permission');
    expect(await isActive(person)).toBe(true);
    expect((await administrator.delete(`/users/${person.email.toUpperCase()}`)).status).toBe(200);
  });

  test('Requires an owner for owners', async () => {
    const second = await createUser(service, 'Second', roles.owner);
    expectRefusal(await deactivate(administrator, second), 'Must be an organization owner', unauthorized);
    expect((await deactivate(owner, second)).status).toBe(200);
    const reply = await administrator.post(`/users/${second.userId}/reactivate`);
    expectRefusal(reply, 'Must be an organization owner', unauthorized);
  });
});

describe('Deactivating a user is refused for', () => {
  test('A bot, which has its own operation, and a user who is deactivated already', async () => {
    const [bot, person] = [await createUser(service, 'Robot'), await newPerson()];
    await service.makeBot(bot, member);
    await deactivate(owner, person);
    expectRefusal(await deactivate(owner, bot), 'No such user');
    expectRefusal(await deactivate(owner, person), 'User is deactivated');
  });

  test('The only owner, also if two owners deactivate each other at once', async () => {
    const msg = 'Cannot deactivate the only organization owner';
    expectRefusal(await deactivate(owner, owner), msg);
    for (let round = 0; round < 4; round++) {
      const second = await createUser(service, 'Second', roles.owner);
      const replies = await Promise.all([
        second.delete(`/users/${owner.userId}`),
        round % 2 === 0
          ? owner.delete(`/users/${second.userId}`)
          : owner.patch(`/users/${second.userId}`, { role: 400 }),
      ]);
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      await service.settle();
      if (replies[0]?.status !== 200) continue;
      await second.post(`/users/${owner.userId}/reactivate`);
      await service.settle();
      await service.renewKey(owner);
      await owner.patch(`/users/${second.userId}`, { role: 400 });
    }
    expect(await isActive(owner)).toBe(true);
  });
});

describe('A deactivated user', () => {
  test('Cannot call the API, and their queues are gone', async () => {
    const person = await newPerson();
    const queue = await person.listen();
    const { status, body } = await deactivate(administrator, person);
    expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
    expectDeactivated(await queue.poll({ dont_block: true }));
    await owner.post(`/users/${person.userId}/reactivate`);
    await service.renewKey(person);
    expectBadQueue(await queue.poll({ dont_block: true }), queue.queueId);
  });

  test('Appears among the inactive users, with their bots, to everyone', async () => {
    const person = await newPerson();
    const bot = await createUser(service, 'Robot');
    await service.makeBot(bot, person);
    await createChannel(service, [member, bot]);
    await createChannel(service, [member, person, guest]);
    await createChannel(service, [member, person], { invite_only: true });
    const everyone = [owner, administrator, member, guest];
    await expectConsistentSnapshot(service, everyone, () => deactivate(administrator, person));
    expect(await isActive(person)).toBe(false);
    const { snapshot } = await member.register({ fetch_event_types: ['realm_user'] });
    const idsOf = (list: { user_id: number }[]) => list.map(({ user_id }) => user_id);
    for (const { userId } of [person, bot]) {
      expect(idsOf(snapshot.realm_users)).not.toContain(userId);
      expect(idsOf(snapshot.realm_non_active_users)).toContain(userId);
    }
  });

  test('Leaves all channels, and the viewers of their subscribers are notified', async () => {
    const person = await newPerson();
    const open = await createChannel(service, [member, person]);
    const closed = await createChannel(service, [member, person], { invite_only: true });
    const [members, moderators] = await listenAll([member, moderator]);
    await deactivate(owner, person);
    const removedFrom = async (queue: EventQueue) =>
      (await queue.drain())
        .filter(({ op, user_ids }) => op === 'peer_remove' && user_ids.includes(person.userId))
        .flatMap(({ stream_ids }) => stream_ids)
        .sort((a, b) => a - b);
    expect(await removedFrom(members)).toEqual([open.channelId, closed.channelId]);
    expect(await removedFrom(moderators)).toEqual([open.channelId]);
    for (const { channelId } of [open, closed]) {
      const { body } = await member.get(`/streams/${channelId}/members`);
      expect(body.subscribers).toEqual([member.userId]);
    }
  });

  test('Takes their own bots along, and no others', async () => {
    const person = await newPerson();
    const [bot, other] = [await createUser(service, 'Robot'), await createUser(service, 'Robot')];
    await service.makeBot(bot, person);
    await service.makeBot(other, member);
    await deactivate(administrator, person);
    expect([await isActive(bot), await isActive(other)]).toEqual([false, true]);
    expectDeactivated(await bot.get('/users/me'));
  });

  test('Sends no scheduled message: it fails, and a notice waits for them', async () => {
    const person = await newPerson();
    const { channelId } = await createChannel(service, [member, person]);
    const scheduled_delivery_timestamp = Math.floor(service.services.clock.nowMs() / 1000) + 60;
    await schedule(person, { to: channelId, scheduled_delivery_timestamp });
    await deactivate(owner, person);
    service.advance(120_000);
    await sweep(service.services);
    await service.settle();
    await owner.post(`/users/${person.userId}/reactivate`);
    await service.settle();
    await service.renewKey(person);
    const { body } = await person.get('/scheduled_messages');
    expect(body.scheduled_messages).toMatchObject([{ failed: true }]);
    const { body: page } = await person.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    expect(page.messages[0].content).toContain('Account is deactivated');
  });

  test('Leaves very many channels, too', async () => {
    const person = await newPerson();
    const names = Array.from({ length: 41 }, (_, n) => ({ name: `many ${n}` }));
    await owner.patch('/realm', { send_channel_events_messages: false });
    await person.post('/users/me/subscriptions', { subscriptions: names });
    await service.settle();
    await expectConsistentSnapshot(service, [owner, member, guest], () => deactivate(owner, person));
    const { body } = await owner.get('/streams');
    const counts = body.streams
      .filter(({ name }: { name: string }) => name.startsWith('many '))
      .map(({ subscriber_count }: { subscriber_count: number }) => subscriber_count);
    expect(counts).toEqual(names.map(() => 0));
  });
});

describe('Deactivating oneself', () => {
  test.each([roles.guest, roles.administrator])('Works for every role: %i', async (role) => {
    const person = await createUser(service, 'Leaver', role);
    const bot = await createUser(service, 'Robot');
    await service.makeBot(bot, person);
    await createChannel(service, [member, person, guest]);
    await expectConsistentSnapshot(service, [service.owner, member, guest], async () => {
      const { status, body } = await person.delete('/users/me');
      expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
    });
    expect([await isActive(person), await isActive(bot)]).toEqual([false, false]);
    expectDeactivated(await person.get('/users/me'));
  });

  test('Fails for the only owner, and for one of two who do it at once', async () => {
    const code = 'CANNOT_DEACTIVATE_LAST_USER';
    const refusal = { code, is_last_owner: true, entity: 'organization owner' };
    const msg = 'Cannot deactivate the only organization owner.';
    expectRefusal(await service.owner.delete('/users/me'), msg, refusal);
    const second = await createUser(service, 'Second', roles.owner);
    const replies = await Promise.all([owner, second].map((client) => client.delete('/users/me')));
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(1);
    expectRefusal(refused[0]!, msg, refusal);
    expect([await isActive(owner, member), await isActive(second, member)].sort()).toEqual([false, true]);
  });
});
