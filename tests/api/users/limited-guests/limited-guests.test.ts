import { describe, expect, test } from 'vitest';
import { deliverScheduledMessage } from '#functions/workers/deliver-scheduled-message.ts';
import { roles } from '#shared/domain/users/user.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { HOUR, inSeconds, listScheduled, schedule } from '../../scheduled-messages/schedules.ts';
import { dummyOf } from '../addresses.ts';

const service = await startTestService();
const { owner } = service;
const guest = await createUser(service, 'Guest', roles.guest);
/** In a channel with the guest, in a conversation with them, and neither. */
const [friend, partner, stranger, bot] = await createUsers(service, 'Friend', 'Partner', 'Stranger', 'Robot');
await service.makeBot(bot, owner);
const room = await createChannel(service, [friend, guest]);
await partner.sendDirect([guest.userId], 'hello');
await service.settle();
await owner.patch('/realm', { can_access_all_users_group: { new: 6 } });

const idsIn = (list: { user_id: number }[]) => list.map(({ user_id }) => user_id);
const seen = () => [guest, friend, partner, bot].map(({ userId }) => userId);
const placeholder = (user: Client) => ({
  user_id: user.userId,
  email: dummyOf(service, user),
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
    for (const address of [stranger.userId, stranger.email, dummyOf(service, stranger)]) {
      const reply = await guest.get(`/users/${address}`);
      expect([reply.status, reply.body]).toEqual([400, noOne.body]);
    }
    for (const userId of seen()) expect((await guest.get(`/users/${userId}`)).body.user.user_id).toBe(userId);
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
    const everyone = [owner, guest, friend, partner, stranger, bot, gone].map(({ userId }) => userId);
    expect(idsIn(snapshot.realm_users)).toEqual(everyone);
    expect(snapshot.realm_non_active_users).toEqual([]);
    for (const user of [stranger, gone]) {
      expect(snapshot.realm_users).toContainEqual(expect.objectContaining(placeholder(user)));
      expect(JSON.stringify(snapshot.realm_users)).not.toContain(user.email);
    }
  });

  test('May not write to the others, with the error for missing users', async () => {
    const to = (users: (number | string)[]) =>
      guest.post('/messages', { type: 'direct', to: users, content: 'hi' });
    expectRefusal(await to([stranger.userId]), `Invalid user ID ${stranger.userId}`);
    expectRefusal(await to([9999]), 'Invalid user ID 9999');
    expectRefusal(await to([friend.userId, stranger.userId]), `Invalid user ID ${stranger.userId}`);
    expectRefusal(await to([stranger.email]), `Invalid email '${stranger.email}'`);
    for (const users of [[friend.userId, partner.userId], [guest.userId], [bot.userId]])
      expect((await to(users)).status).toBe(200);
  });

  test('May not schedule a message to the others', async () => {
    const message = { type: 'direct', content: 'later', scheduled_delivery_timestamp: inSeconds(HOUR) };
    const reply = await guest.post('/scheduled_messages', { ...message, to: [stranger.userId] });
    expect(reply.status).toBe(400);
    const scheduled_message_id = await schedule(guest, { type: 'direct', to: [friend.userId] });
    expect(await listScheduled(guest)).toMatchObject([{ scheduled_message_id, to: [friend.userId] }]);
  });

  test('Keeps a scheduled message as failed if its recipient is invisible by then', async () => {
    const visitor = await createUser(service, 'Visitor');
    const shared = await createChannel(service, [friend, visitor, guest]);
    const scheduledMessageId = await schedule(guest, { type: 'direct', to: [visitor.userId] });
    await visitor.delete('/users/me/subscriptions', { subscriptions: [shared.name] });
    service.advance(HOUR * 1000);
    await deliverScheduledMessage(service.services, { userId: guest.userId, scheduledMessageId });
    const failed = { scheduled_message_id: scheduledMessageId, failed: true };
    expect(await listScheduled(guest)).toContainEqual(expect.objectContaining(failed));
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
    await owner.subscribe(room.name);
    await friend.subscribe(room.name, { principals: [author.userId] });
    const id = await author.send(room.channelId, 'topic', 'I was here');
    const readAs = async (reader: Client) => (await reader.get(`/messages/${id}`)).body.message;
    const listAs = async (reader: Client) =>
      (await reader.get('/messages', { message_ids: [id], client_gravatar: false })).body.messages[0];
    expect((await readAs(guest)).sender_full_name).toBe('Former Author');
    await author.delete('/users/me/subscriptions', { subscriptions: [room.name] });
    const sender_email = dummyOf(service, author);
    const expected = { sender_id: author.userId, sender_full_name: 'Unknown user', sender_email };
    expect(await readAs(guest)).toMatchObject(expected);
    expect(await listAs(guest)).toMatchObject(expected);
    expect((await listAs(guest)).avatar_url).not.toBe((await listAs(friend)).avatar_url);
    expect((await readAs(friend)).sender_full_name).toBe('Former Author');
    await owner.delete('/users/me/subscriptions', { subscriptions: [room.name] });
  });

  test('Sees the names of bots that write to them', async () => {
    await bot.subscribe(room.name);
    const id = await bot.send(room.channelId, 'topic', 'beep');
    await bot.delete('/users/me/subscriptions', { subscriptions: [room.name] });
    expect((await guest.get(`/messages/${id}`)).body.message.sender_full_name).toBe('Robot');
  });
});

test('Callers without an account see the same users as a guest without any channel', async () => {
  const open = await startTestService({ webPublicChannels: true });
  await open.owner.patch('/realm', { enable_spectator_access: true });
  await open.owner.subscribe('open', { is_web_public: true });
  const namesSeen = async (): Promise<string[]> => {
    const { body } = await sendForm(open.url, '/register', { client_gravatar: 'false' });
    return body.realm_users.map(({ full_name }: { full_name: string }) => full_name);
  };
  const before = await namesSeen();
  expect(before).not.toContain('Unknown user');
  await open.owner.patch('/realm', { can_access_all_users_group: { new: 6 } });
  expect(await namesSeen()).toEqual(before.map(() => 'Unknown user'));
});

describe('Presence and status', () => {
  test('Come to a guest for visible users', async () => {
    for (const user of [friend, stranger]) {
      await user.post('/users/me/presence', { status: 'active' });
      await user.post('/users/me/status', { status_text: 'at work' });
    }
    const { snapshot } = await guest.register({ slim_presence: true });
    expect(Object.keys(snapshot.presences)).toEqual([String(friend.userId)]);
    expect(Object.keys(snapshot.user_status)).toEqual([String(friend.userId)]);
    for (const thing of ['presence', 'status']) {
      expectRefusal(await guest.get(`/users/${stranger.userId}/${thing}`), 'No such user');
      expect((await guest.get(`/users/${friend.userId}/${thing}`)).status).toBe(200);
    }
    const queue = await guest.listen({ event_types: ['user_status'] });
    for (const user of [stranger, friend]) await user.post('/users/me/status', { status_text: 'at home' });
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
