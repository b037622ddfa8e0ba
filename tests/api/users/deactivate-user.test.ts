import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectBadQueue, expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();
const { owner } = service;
const administrator = await createUser(service, 'Administrator', roles.administrator);
const moderator = await createUser(service, 'Moderator', roles.moderator);
const member = await createUser(service, 'Member');
const guest = await createUser(service, 'Guest', roles.guest);

const person = () => createUser(service, 'Person');
const deactivate = async (by: Client, { userId }: Client) => {
  const reply = await by.delete(`/users/${userId}`);
  await service.settle();
  return reply;
};
const isActive = async ({ userId }: Client) => (await owner.get(`/users/${userId}`)).body.user.is_active;

describe('The right to deactivate a user', () => {
  test('Belongs to administrators; others cannot even learn which users exist', async () => {
    const one = await person();
    for (const by of [moderator, member, guest, one])
      for (const id of [one.userId, 999_999, by.userId])
        expectRefusal(await by.delete(`/users/${id}`), 'Insufficient permission');
    expect(await isActive(one)).toBe(true);
    const { status } = await administrator.delete(`/users/${one.email.toUpperCase()}`);
    expect(status).toBe(200);
  });

  test('Requires an owner for owners', async () => {
    const second = await createUser(service, 'Second', roles.owner);
    expectRefusal(await deactivate(administrator, second), 'Must be an organization owner', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    expect((await deactivate(owner, second)).status).toBe(200);
    expectRefusal(
      await administrator.post(`/users/${second.userId}/reactivate`),
      'Must be an organization owner',
      { code: 'UNAUTHORIZED_PRINCIPAL' },
    );
  });
});

describe('Deactivating a user is refused for', () => {
  test('A bot, which has its own operation, and a user who is deactivated already', async () => {
    const [bot, one] = [await createUser(service, 'Robot'), await person()];
    await service.makeBot(bot, member);
    await deactivate(owner, one);
    expectRefusal(await deactivate(owner, bot), 'No such user');
    expectRefusal(await deactivate(owner, one), 'User is deactivated');
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
    const one = await person();
    const queue = await one.listen();
    const { status, body } = await deactivate(administrator, one);
    expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
    expectRefusal(await queue.poll({ dont_block: true }), 'Account is deactivated', {
      status: 401,
      code: 'USER_DEACTIVATED',
    });
    await owner.post(`/users/${one.userId}/reactivate`);
    await service.renewKey(one);
    expectBadQueue(await queue.poll({ dont_block: true }), queue.queueId);
  });

  test('Appears among the inactive users, with their bots, to everyone', async () => {
    const one = await person();
    const bot = await createUser(service, 'Robot');
    await service.makeBot(bot, one);
    await createChannel(service, [member, bot]);
    await createChannel(service, [member, one, guest]);
    await createChannel(service, [member, one], { invite_only: true });
    await expectConsistentSnapshot(service, [owner, administrator, member, guest], () =>
      deactivate(administrator, one),
    );
    expect(await isActive(one)).toBe(false);
    const { snapshot } = await member.register({ fetch_event_types: ['realm_user'] });
    const idsOf = (list: { user_id: number }[]) => list.map(({ user_id }) => user_id);
    for (const { userId } of [one, bot]) {
      expect(idsOf(snapshot.realm_users)).not.toContain(userId);
      expect(idsOf(snapshot.realm_non_active_users)).toContain(userId);
    }
  });

  test('Leaves all channels, and the viewers of their subscribers are notified', async () => {
    const one = await person();
    const open = await createChannel(service, [member, one]);
    const closed = await createChannel(service, [member, one], { invite_only: true });
    const queues = [await member.listen(), await moderator.listen()];
    await deactivate(owner, one);
    const removedFrom = async (index: number) =>
      (await queues[index]!.drain())
        .filter(({ op, user_ids }) => op === 'peer_remove' && user_ids.includes(one.userId))
        .flatMap(({ stream_ids }) => stream_ids)
        .sort((a, b) => a - b);
    expect(await removedFrom(0)).toEqual([open.channelId, closed.channelId]);
    expect(await removedFrom(1)).toEqual([open.channelId]);
    for (const { channelId } of [open, closed]) {
      const { body } = await member.get(`/streams/${channelId}/members`);
      expect(body.subscribers).toEqual([member.userId]);
    }
  });

  test('Takes their own bots along, and no others', async () => {
    const one = await person();
    const [bot, other] = [await createUser(service, 'Robot'), await createUser(service, 'Robot')];
    await service.makeBot(bot, one);
    await service.makeBot(other, member);
    await deactivate(administrator, one);
    expect([await isActive(bot), await isActive(other)]).toEqual([false, true]);
    expectRefusal(await bot.get('/users/me'), 'Account is deactivated', {
      status: 401,
      code: 'USER_DEACTIVATED',
    });
  });

  test('Sends no scheduled message: it fails, and a notice waits for them', async () => {
    const one = await person();
    const { channelId } = await createChannel(service, [member, one]);
    const dueSeconds = Math.floor(service.services.clock.nowMs() / 1000) + 60;
    const scheduled = { type: 'channel', to: channelId, topic: 'later', content: 'too late' };
    await one.post('/scheduled_messages', { ...scheduled, scheduled_delivery_timestamp: dueSeconds });
    await deactivate(owner, one);
    service.advance(120_000);
    await sweep(service.services);
    await service.settle();
    await owner.post(`/users/${one.userId}/reactivate`);
    await service.settle();
    await service.renewKey(one);
    const { body } = await one.get('/scheduled_messages');
    expect(body.scheduled_messages).toMatchObject([{ failed: true }]);
    const { body: page } = await one.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    expect(page.messages[0].content).toContain('Account is deactivated');
  });

  test('Leaves very many channels, too', async () => {
    const one = await person();
    const names = Array.from({ length: 41 }, (_, n) => ({ name: `many ${n}` }));
    await owner.patch('/realm', { send_channel_events_messages: false });
    await one.post('/users/me/subscriptions', { subscriptions: names });
    await service.settle();
    await expectConsistentSnapshot(service, [owner, member, guest], () => deactivate(owner, one));
    const { body } = await owner.get('/streams');
    const counts = body.streams
      .filter(({ name }: { name: string }) => name.startsWith('many '))
      .map((channel: { subscriber_count: number }) => channel.subscriber_count);
    expect(counts).toEqual(names.map(() => 0));
  });
});
