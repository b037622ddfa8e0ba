import { describe, expect, test } from 'vitest';
import { type Role, roles } from '#shared/domain/users/user.ts';
import type { Client, ReceivedEvent } from '#tests/harness/client.ts';
import {
  createChannel,
  createUser,
  createUsers,
  drainMessages,
  type TestChannel,
} from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot, type Observer } from '#tests/harness/snapshot/snapshot-consistency.ts';

const EVERYONE = 7;
const MEMBERS = 6;
/** Values of `email_address_visibility`. */
const [ALL, NOBODY] = [1, 4];
const INCOMPLETE = { user_list_incomplete: true };

const service = await startTestService();
const { owner } = service;
const guest = await createUser(service, 'Guest', roles.guest);
const [friend, stranger] = await createUsers(service, 'Friend', 'Stranger');
const room = await createChannel(service, [friend, guest]);

const limit = (group: number) => owner.patch('/realm', { can_access_all_users_group: { new: group } });
await limit(MEMBERS);
const add = (who: Client, { name }: TestChannel) =>
  friend.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [who.userId] });
const remove = (who: Client, { name }: TestChannel) =>
  owner.delete('/users/me/subscriptions', { subscriptions: [name], principals: [who.userId] });
const setRole = (who: Client, role: Role) => owner.patch(`/users/${who.userId}`, { role });
const rename = (full_name: string) => owner.patch(`/users/${stranger.userId}`, { full_name });
/** Whether a user sees the stranger. */
const expectSeen = async (reader: Client, isSeen: boolean) =>
  expect((await reader.get(`/users/${stranger.userId}`)).status).toBe(isSeen ? 200 : 400);
const came = ({ userId }: Client, name: string) => ['add', userId, name];
const left = ({ userId }: Client) => ['remove', userId, 'Unknown user'];

/** Both forms of the list of users, for a guest and for callers who see every user. */
const expectBothSnapshotsConsistent = (...steps: (() => Promise<unknown>)[]) =>
  expectConsistentSnapshot(service, [guest, friend, [guest, INCOMPLETE], [owner, INCOMPLETE]], steps);

/** The guest's events about people during an action. */
async function newsOf(write: () => Promise<unknown>, capabilities: Record<string, boolean> = INCOMPLETE) {
  const queue = await guest.listen({ client_capabilities: capabilities });
  await write();
  await service.settle();
  const events = await queue.drain();
  return events
    .filter(({ type }: ReceivedEvent) => type === 'realm_user')
    .map(({ op, person }: ReceivedEvent) => [op, person.user_id, person.full_name]);
}

describe('A guest who sees only some people', () => {
  test('Starts to see a user who joins a channel of theirs, and stops when the user leaves', async () => {
    const come = async () =>
      expect(await newsOf(() => add(stranger, room))).toEqual([came(stranger, 'Stranger')]);
    const leave = async () => expect(await newsOf(() => remove(stranger, room))).toEqual([left(stranger)]);
    await expectBothSnapshotsConsistent(come, leave);
  });

  test('Gets a substitute for lost users if the client needs it', async () => {
    expect(await newsOf(() => add(stranger, room), {})).toEqual([came(stranger, 'Stranger')]);
    expect(await newsOf(() => remove(stranger, room), {})).toEqual([
      left(stranger),
      ['add', stranger.userId, 'Unknown user'],
    ]);
  });

  test('Keeps users in another common channel', async () => {
    const second = await createChannel(service, [friend, guest, stranger]);
    expect(await newsOf(() => add(stranger, room))).toEqual([]);
    expect(await newsOf(() => remove(stranger, room))).toEqual([]);
    expect(await newsOf(() => remove(stranger, second))).toEqual([left(stranger)]);
  });

  test('Starts to see every user in a channel that they join, until they leave', async () => {
    const other = await createChannel(service, [friend, stranger, owner]);
    const { full_name } = (await owner.get('/users/me')).body;
    const come = async () => {
      const everyone = [came(owner, full_name), came(stranger, 'Stranger')];
      expect(await newsOf(() => add(guest, other))).toEqual(everyone);
    };
    const leave = async () =>
      expect(await newsOf(() => remove(guest, other))).toEqual([left(owner), left(stranger)]);
    await expectBothSnapshotsConsistent(come, leave);
  });

  test('Starts to see people who join a new channel with them, whoever creates it', async () => {
    const visitor = await createUser(service, 'Visitor');
    const news = await newsOf(() => createChannel(service, [visitor, guest]));
    expect(news).toEqual([came(visitor, 'Visitor')]);
  });

  test('Starts to see a user who writes to them, and every user in that conversation, once', async () => {
    const [first, second, third] = await createUsers(service, 'Ada', 'Bo', 'Cy');
    const write = () => first.sendDirect([second.userId, guest.userId], 'hello');
    await expectConsistentSnapshot(service, [guest, [guest, INCOMPLETE], first, owner], write);
    expect(await newsOf(write)).toEqual([]);
    const news = await newsOf(() => third.sendDirect([guest.userId], 'hello'));
    expect(news).toEqual([came(third, 'Cy')]);
  });

  test('Gets the changes of users while they see them, and nothing of others', async () => {
    await add(stranger, room);
    const renamed = ['update', stranger.userId, 'Renamed'];
    expect(await newsOf(() => rename('Renamed'))).toEqual([renamed]);
    await remove(stranger, room);
    expect(await newsOf(() => rename('Stranger'))).toEqual([]);
    expect(await newsOf(() => setRole(stranger, roles.moderator))).toEqual([]);
    await setRole(stranger, roles.member);
    await service.settle();
  });

  test('Gets each change by the visibility at that time, however late they poll', async () => {
    const news = await newsOf(async () => {
      await rename('Before');
      await add(stranger, room);
      await rename('Within');
      await remove(stranger, room);
      await rename('After');
    });
    expect(news).toEqual([
      ['add', stranger.userId, 'After'],
      ['update', stranger.userId, 'Within'],
      left(stranger),
    ]);
    await expectConsistentSnapshot(service, [guest, [guest, INCOMPLETE], friend], async () => {
      await rename('One');
      await add(stranger, room);
      await rename('Two');
      await remove(guest, room);
      await rename('Three');
      await add(guest, room);
      await remove(stranger, room);
      await rename('Stranger');
    });
  });

  test('Gets the address of a user by its visibility at that time, however late they poll', async () => {
    const secretive = await createUser(service, 'Secretive');
    const show = (email_address_visibility: number) =>
      secretive.patch('/settings', { email_address_visibility });
    await show(NOBODY);
    const queue = await guest.listen({ event_types: ['realm_user'] });
    await add(secretive, room);
    await show(ALL);
    await service.settle();
    const events = await queue.drain();
    const addresses = events.map(({ op, person }) => `${op} ${person.delivery_email}`);
    expect(addresses).toEqual(expect.arrayContaining(['add null', `update ${secretive.email}`]));
  });

  test('Gets only a substitute for a new account, or nothing', async () => {
    const create = (name: string) => () => service.createUser(name);
    await expectBothSnapshotsConsistent(async () => {
      const news = await newsOf(create('Latecomer'), {});
      expect(news).toEqual([['add', expect.any(Number), 'Unknown user']]);
      expect(await newsOf(create('Newcomer'))).toEqual([]);
    });
  });

  test('Gets a new bot with its name', async () => {
    const created = () => friend.post('/bots', { full_name: 'Helper', short_name: 'helper' });
    expect((await newsOf(created)).map(([op, , name]) => [op, name])).toEqual([['add', 'Helper']]);
  });

  test('Stops seeing a deactivated user until the reactivation, unless they wrote to each other', async () => {
    await add(stranger, room);
    const back = () => owner.post(`/users/${stranger.userId}/reactivate`);
    const gone = async () => {
      await service.deactivate(stranger);
      await expectSeen(guest, false);
    };
    await expectBothSnapshotsConsistent(gone, back);
    await friend.sendDirect([guest.userId], 'still here');
    await service.deactivate(friend);
    expect((await guest.get(`/users/${friend.userId}`)).body.user.is_active).toBe(false);
    const friendBack = () => owner.post(`/users/${friend.userId}/reactivate`);
    await expectConsistentSnapshot(service, [[guest, INCOMPLETE]], friendBack);
    await remove(stranger, room);
    await service.settle();
    for (const user of [stranger, friend]) await service.renewKey(user);
  });

  test('Sees the same users when a channel is archived and unarchived', async () => {
    const old = await createChannel(service, [friend, stranger, guest]);
    const archive = async () => {
      expect(await newsOf(() => owner.delete(`/streams/${old.channelId}`))).toEqual([]);
      await expectSeen(guest, true);
    };
    const restore = () => owner.patch(`/streams/${old.channelId}`, { is_archived: false });
    const modern = { archived_channels: true };
    const observers: Observer[] = [[guest, modern], [friend, modern], [guest, INCOMPLETE], owner];
    await expectConsistentSnapshot(service, observers, [archive, restore]);
    await remove(stranger, old);
    await service.settle();
  });

  test('Gets messages of unseen people without their names', async () => {
    const open = await createChannel(service, [friend, guest]);
    const queue = await guest.listen({ event_types: ['message'], client_gravatar: false });
    await owner.send(open.channelId, 'topic', 'from outside');
    await owner.subscribe(open.name);
    await owner.send(open.channelId, 'topic', 'from inside');
    await owner.delete('/users/me/subscriptions', { subscriptions: [open.name] });
    await owner.send(open.channelId, 'topic', 'from outside again');
    const messages = await drainMessages(queue);
    const { full_name } = (await owner.get('/users/me')).body;
    const authors = ['Unknown user', full_name, 'Unknown user'].map((sender_full_name) => ({
      sender_full_name,
      sender_id: owner.userId,
    }));
    expect(messages).toMatchObject(authors);
    const [hidden, shown] = messages;
    expect(hidden.sender_email).not.toBe(shown.sender_email);
    expect(hidden.avatar_url).not.toBe(shown.avatar_url);
    expect(JSON.stringify(hidden)).not.toContain(owner.email);
  });

  test('Cannot identify an author by a narrow of the sender', async () => {
    const open = await createChannel(service, [friend, guest]);
    const queue = await guest.listen({ narrow: [['sender', owner.email]], event_types: ['message'] });
    await owner.send(open.channelId, 'topic', 'from outside');
    expect(await queue.drain()).toEqual([]);
  });
});

describe('Limited visibility of users', () => {
  test('Starts when a member becomes a guest, and ends when they become a member again', async () => {
    const turncoat = await createUser(service, 'Turncoat');
    await add(turncoat, room);
    const become = (role: Role) => async () => {
      await setRole(turncoat, role);
      await expectSeen(turncoat, role === roles.member);
    };
    const mixed = async () => {
      await setRole(turncoat, roles.guest);
      await rename('Unheard');
      await setRole(turncoat, roles.member);
      await rename('Stranger');
      await setRole(turncoat, roles.guest);
    };
    const observers: Observer[] = [turncoat, [turncoat, INCOMPLETE], [guest, INCOMPLETE], owner];
    const steps = [become(roles.guest), become(roles.member), mixed];
    await expectConsistentSnapshot(service, observers, steps);
  });

  test('Starts and ends for all guests with the setting of the organization', async () => {
    const set = (group: number) => async () => {
      await limit(group);
      await expectSeen(guest, group === EVERYONE);
    };
    const mixed = async () => {
      await limit(EVERYONE);
      await rename('Heard');
      await limit(MEMBERS);
      await rename('Stranger');
      await limit(EVERYONE);
      await limit(MEMBERS);
    };
    const steps = [set(EVERYONE), set(MEMBERS), mixed];
    await expectConsistentSnapshot(service, [guest, [guest, INCOMPLETE], friend], steps);
  });
});
