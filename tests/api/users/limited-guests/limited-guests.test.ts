import { describe, expect, test } from 'vitest';
import { deliverScheduledMessage } from '#functions/workers/deliver-scheduled-message.ts';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

/** In a channel with the guest, in a conversation with them, and neither. */
const service = await startTestService();
const { owner } = service;
const guest = await createUser(service, 'Guest', roles.guest);
const friend = await createUser(service, 'Friend');
const partner = await createUser(service, 'Partner');
const stranger = await createUser(service, 'Stranger');
const bot = await createUser(service, 'Robot');
await service.makeBot(bot, owner);
const room = await createChannel(service, [friend, guest]);
await partner.sendDirect([guest.userId], 'hello');
await service.settle();
const { status } = await owner.patch('/realm', { can_access_all_users_group: { new: 6 } });
expect(status).toBe(200);

const idsIn = (list: { user_id: number }[]) => list.map(({ user_id }) => user_id);
const seen = () => [guest, friend, partner, bot].map(({ userId }) => userId);
const domain = () => new URL(service.url).hostname;
const placeholder = ({ userId }: Client) => ({
  user_id: userId,
  email: `user${userId}@${domain()}`,
  delivery_email: null,
  full_name: 'Unknown user',
  date_joined: '1970-01-01T00:00+00:00',
  is_active: true,
  is_admin: false,
  is_owner: false,
  is_guest: false,
  is_bot: false,
  role: 400,
  timezone: '',
  avatar_version: 1,
  profile_data: {},
});

describe('A guest who sees only some users', () => {
  test('Lists users with a common channel or conversation, bots and themselves', async () => {
    expect(idsIn((await guest.get('/users')).body.members)).toEqual(seen());
    const user_ids = [friend, stranger, owner].map(({ userId }) => userId);
    expect(idsIn((await guest.get('/users', { user_ids })).body.members)).toEqual([friend.userId]);
    expect((await friend.get('/users')).body.members).toHaveLength(seen().length + 2);
  });

  test('Cannot read others by id or address, as if they did not exist', async () => {
    const noOne = await guest.get('/users/9999');
    for (const named of [stranger.userId, stranger.email, `user${stranger.userId}@${domain()}`]) {
      const reply = await guest.get(`/users/${named}`);
      expect([reply.status, reply.body]).toEqual([400, noOne.body]);
    }
    for (const one of [guest, friend, partner, bot])
      expect((await guest.get(`/users/${one.userId}`)).body.user.user_id).toBe(one.userId);
    expect((await guest.get(`/users/${friend.email}`)).status).toBe(200);
  });

  test('Registers without the others if the client supports that', async () => {
    const { snapshot } = await guest.register({ client_capabilities: { user_list_incomplete: true } });
    expect(idsIn(snapshot.realm_users)).toEqual(seen());
    expect(snapshot.cross_realm_bots.length).toBeGreaterThan(0);
  });

  test('Registers with a substitute for each of the others if the client needs it', async () => {
    const gone = await createUser(service, 'Gone');
    await service.deactivate(gone);
    const { snapshot } = await guest.register();
    expect(idsIn(snapshot.realm_users)).toEqual(
      [owner, guest, friend, partner, stranger, bot, gone].map(({ userId }) => userId),
    );
    expect(snapshot.realm_non_active_users).toEqual([]);
    for (const one of [stranger, gone]) {
      const record = snapshot.realm_users.find(({ user_id }: { user_id: number }) => user_id === one.userId);
      expect(record).toMatchObject(placeholder(one));
      expect(JSON.stringify(record)).not.toContain(one.email);
    }
  });

  test('May not write to the others, with the error for missing users', async () => {
    const to = (users: (number | string)[]) =>
      guest.post('/messages', { type: 'direct', to: users, content: 'hi' });
    expectRefusal(await to([stranger.userId]), `Invalid user ID ${stranger.userId}`);
    expectRefusal(await to([9999]), 'Invalid user ID 9999');
    expectRefusal(await to([friend.userId, stranger.userId]), `Invalid user ID ${stranger.userId}`);
    expectRefusal(await to([stranger.email]), `Invalid email '${stranger.email}'`);
    expect((await to([friend.userId, partner.userId])).status).toBe(200);
    expect((await to([guest.userId])).status).toBe(200);
    expect((await to([bot.userId])).status).toBe(200);
  });

  test('May not schedule a message to the others', async () => {
    const scheduled = (userId: number) =>
      guest.post('/scheduled_messages', {
        type: 'direct',
        to: [userId],
        content: 'later',
        scheduled_delivery_timestamp: Math.floor(service.services.clock.nowMs() / 1000) + 3600,
      });
    expect((await scheduled(stranger.userId)).status).toBe(400);
    const { body } = await scheduled(friend.userId);
    const kept = (await guest.get('/scheduled_messages')).body.scheduled_messages;
    expect(kept).toMatchObject([{ scheduled_message_id: body.scheduled_message_id, to: [friend.userId] }]);
  });

  test('Keeps a scheduled message as failed if its recipient is invisible by then', async () => {
    const visitor = await createUser(service, 'Visitor');
    const shared = await createChannel(service, [friend, visitor, guest]);
    const atSeconds = Math.floor(service.services.clock.nowMs() / 1000) + 3600;
    const { body } = await guest.post('/scheduled_messages', {
      type: 'direct',
      to: [visitor.userId],
      content: 'later',
      scheduled_delivery_timestamp: atSeconds,
    });
    await visitor.delete('/users/me/subscriptions', { subscriptions: [shared.name] });
    service.advance(3600_000);
    await deliverScheduledMessage(service.services, {
      userId: guest.userId,
      scheduledMessageId: body.scheduled_message_id,
    });
    const { scheduled_messages: left } = (await guest.get('/scheduled_messages')).body;
    expect(
      left.find(
        ({ scheduled_message_id: id }: { scheduled_message_id: number }) => id === body.scheduled_message_id,
      ),
    ).toMatchObject({ failed: true });
    expect((await guest.get(`/users/${visitor.userId}`)).status).toBe(400);
  });

  test('Cannot transfer a bot to the others', async () => {
    const keeper = await createUser(service, 'Keeper');
    const { body } = await keeper.post('/bots', { full_name: 'Helper', short_name: 'guesthelper' });
    await service.setRole(keeper.email, roles.guest);
    const give = (bot_owner_id: number) => keeper.patch(`/bots/${body.user_id}`, { bot_owner_id });
    for (const userId of [stranger.userId, 9999])
      expectRefusal(await give(userId), 'Failed to change owner, no such user');
    await owner.delete(`/bots/${body.user_id}`);
  });

  test('Reads messages of the others without their identity', async () => {
    const author = await createUser(service, 'Former Author');
    await owner.post('/users/me/subscriptions', { subscriptions: [{ name: room.name }] });
    await friend.post('/users/me/subscriptions', {
      subscriptions: [{ name: room.name }],
      principals: [author.userId],
    });
    const id = await author.send(room.channelId, 'topic', 'I was here');
    const shown = await guest.get(`/messages/${id}`);
    expect(shown.body.message.sender_full_name).toBe('Former Author');
    await author.delete('/users/me/subscriptions', { subscriptions: [room.name] });
    const expected = {
      sender_id: author.userId,
      sender_full_name: 'Unknown user',
      sender_email: `user${author.userId}@${domain()}`,
    };
    const single = (await guest.get(`/messages/${id}`)).body.message;
    expect(single).toMatchObject(expected);
    const { messages } = (await guest.get('/messages', { message_ids: [id], client_gravatar: false })).body;
    expect(messages[0]).toMatchObject(expected);
    expect(messages[0].avatar_url).not.toBe(
      (await friend.get('/messages', { message_ids: [id], client_gravatar: false })).body.messages[0]
        .avatar_url,
    );
    expect((await friend.get(`/messages/${id}`)).body.message.sender_full_name).toBe('Former Author');
    await owner.delete('/users/me/subscriptions', { subscriptions: [room.name] });
  });

  test('Sees the names of bots that write to them', async () => {
    await bot.subscribe(room.name);
    const id = await bot.send(room.channelId, 'topic', 'beep');
    await bot.delete('/users/me/subscriptions', { subscriptions: [room.name] });
    expect((await guest.get(`/messages/${id}`)).body.message.sender_full_name).toBe('Robot');
  });
});

describe('Callers without an account', () => {
  test('See the same as a guest without any channel', async () => {
    const open = await startTestService({ webPublicChannels: true });
    await open.owner.patch('/realm', { enable_spectator_access: true });
    await open.owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'open' }],
      is_web_public: true,
    });
    const register = async () => {
      const body = new URLSearchParams({ client_gravatar: 'false' });
      const reply = await fetch(`${open.url}/api/v1/register`, { method: 'POST', body });
      return (await reply.json()) as { realm_users: { full_name: string }[] };
    };
    const before = await register();
    expect(before.realm_users.every(({ full_name }) => full_name !== 'Unknown user')).toBe(true);
    await open.owner.patch('/realm', { can_access_all_users_group: { new: 6 } });
    const after = await register();
    expect(after.realm_users.map(({ full_name }) => full_name)).toEqual(
      before.realm_users.map(() => 'Unknown user'),
    );
    await open.stop();
  });
});

describe('Presence and status', () => {
  test('Come to a guest for visible users', async () => {
    for (const one of [friend, stranger]) {
      await one.post('/users/me/presence', { status: 'active' });
      await one.post('/users/me/status', { status_text: 'at work' });
    }
    const { snapshot } = await guest.register({ slim_presence: true });
    expect(Object.keys(snapshot.presences)).toEqual([String(friend.userId)]);
    expect(Object.keys(snapshot.user_status)).toEqual([String(friend.userId)]);
    for (const thing of ['presence', 'status']) {
      expectRefusal(await guest.get(`/users/${stranger.userId}/${thing}`), 'No such user');
      expect((await guest.get(`/users/${friend.userId}/${thing}`)).status).toBe(200);
    }
    const queue = await guest.listen({ event_types: ['user_status'] });
    for (const one of [stranger, friend]) await one.post('/users/me/status', { status_text: 'at home' });
    expect((await queue.drain()).map(({ user_id }) => user_id)).toEqual([friend.userId]);
  });

  test('Reveal no other users by an update id', async () => {
    await friend.post('/users/me/presence', { status: 'active' });
    const params = { slim_presence: true, fetch_event_types: ['presence'] };
    const { presence_last_update_id: before } = (await guest.register(params)).snapshot;
    service.advance(60_000);
    await stranger.post('/users/me/presence', { status: 'active' });
    expect((await guest.register(params)).snapshot.presence_last_update_id).toBe(before);
    const { presence_last_update_id: known } = (await service.owner.register(params)).snapshot;
    expect(known).toBeGreaterThan(before);
  });
});
