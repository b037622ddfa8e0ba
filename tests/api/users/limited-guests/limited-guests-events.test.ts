import { beforeAll, describe, expect, test } from 'vitest';
import { type Role, roles } from '#shared/domain/users/user.ts';
import type { Client, ReceivedEvent } from '#tests/harness/client.ts';
import { createChannel, createUser, type TestChannel } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const EVERYONE = 7;
const MEMBERS = 6;
/** Values of `email_address_visibility`. */
const [ALL, NOBODY] = [1, 4];
const INCOMPLETE = { user_list_incomplete: true };

let service: TestService;
let owner: Client;
let guest: Client;
let friend: Client;
let stranger: Client;
let room: TestChannel;
beforeAll(async () => {
  service = await startTestService();
  ({ owner } = service);
  guest = await createUser(service, 'Guest', roles.guest);
  friend = await createUser(service, 'Friend');
  stranger = await createUser(service, 'Stranger');
  room = await createChannel(service, [friend, guest]);
  await limit(MEMBERS);
});

const limit = (group: number) => owner.patch('/realm', { can_access_all_users_group: { new: group } });
const add = (who: Client, { name }: TestChannel) =>
  friend.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [who.userId] });
const remove = (who: Client, { name }: TestChannel) =>
  owner.delete('/users/me/subscriptions', { subscriptions: [name], principals: [who.userId] });
const setRole = (who: Client, role: Role) => owner.patch(`/users/${who.userId}`, { role });

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
      expect(await newsOf(() => add(stranger, room))).toEqual([['add', stranger.userId, 'Stranger']]);
    const leave = async () =>
      expect(await newsOf(() => remove(stranger, room))).toEqual([
        ['remove', stranger.userId, 'Unknown user'],
      ]);
    await expectBothSnapshotsConsistent(come, leave);
  });

  test('Gets a substitute for lost users if the client needs it', async () => {
    expect(await newsOf(() => add(stranger, room), {})).toEqual([['add', stranger.userId, 'Stranger']]);
    expect(await newsOf(() => remove(stranger, room), {})).toEqual([
      ['remove', stranger.userId, 'Unknown user'],
      ['add', stranger.userId, 'Unknown user'],
    ]);
  });

  test('Keeps users in another common channel', async () => {
    const second = await createChannel(service, [friend, guest, stranger]);
    expect(await newsOf(() => add(stranger, room))).toEqual([]);
    expect(await newsOf(() => remove(stranger, room))).toEqual([]);
    expect(await newsOf(() => remove(stranger, second))).toEqual([
      ['remove', stranger.userId, 'Unknown user'],
    ]);
  });

  test('Starts to see every user in a channel that they join, until they leave', async () => {
    const other = await createChannel(service, [friend, stranger, owner]);
    const come = async () => {
      const news = await newsOf(() => add(guest, other));
      expect(news.map(([op, userId]) => [op, userId])).toEqual([
        ['add', owner.userId],
        ['add', stranger.userId],
      ]);
    };
    const leave = async () => {
      const lost = await newsOf(() => remove(guest, other));
      expect(lost.map(([op, userId]) => [op, userId])).toEqual([
        ['remove', owner.userId],
        ['remove', stranger.userId],
      ]);
    };
    await expectBothSnapshotsConsistent(come, leave);
  });

  test('Starts to see people who join a new channel with them, whoever creates it', async () => {
    const visitor = await createUser(service, 'Visitor');
    expect(await newsOf(() => createChannel(service, [visitor, guest]))).toEqual([
      ['add', visitor.userId, 'Visitor'],
    ]);
  });

  test('Starts to see a user who writes to them, and every user in that conversation, once', async () => {
    const [first, second] = [await createUser(service, 'Ada'), await createUser(service, 'Bo')];
    const write = () => first.sendDirect([second.userId, guest.userId], 'hello');
    await expectConsistentSnapshot(service, [guest, [guest, INCOMPLETE], first, owner], write);
    expect(await newsOf(write)).toEqual([]);
    const third = await createUser(service, 'Cy');
    expect(await newsOf(() => third.sendDirect([guest.userId], 'hello'))).toEqual([
      ['add', third.userId, 'Cy'],
    ]);
  });

  test('Gets the changes of users while they see them, and nothing of others', async () => {
    await add(stranger, room);
    expect(await newsOf(() => owner.patch(`/users/${stranger.userId}`, { full_name: 'Renamed' }))).toEqual([
      ['update', stranger.userId, 'Renamed'],
    ]);
    await remove(stranger, room);
    const hidden = () => owner.patch(`/users/${stranger.userId}`, { full_name: 'Stranger' });
    expect(await newsOf(hidden)).toEqual([]);
    expect(await newsOf(() => setRole(stranger, roles.moderator))).toEqual([]);
    await setRole(stranger, roles.member);
    await service.settle();
  });

  test('Gets each change by the visibility at that time, however late they poll', async () => {
    const rename = (name: string) => owner.patch(`/users/${stranger.userId}`, { full_name: name });
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
      ['remove', stranger.userId, 'Unknown user'],
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
    expect(events.map(({ op, person }) => [op, person.delivery_email])).toEqual(
      expect.arrayContaining([
        ['add', null],
        ['update', secretive.email],
      ]),
    );
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
      expect((await guest.get(`/users/${stranger.userId}`)).status).toBe(400);
    };
    await expectBothSnapshotsConsistent(gone, back);
    await friend.sendDirect([guest.userId], 'still here');
    await service.deactivate(friend);
    expect((await guest.get(`/users/${friend.userId}`)).body.user.is_active).toBe(false);
    await expectConsistentSnapshot(
      service,
      [guest],
      () => owner.post(`/users/${friend.userId}/reactivate`),
      INCOMPLETE,
    );
    await remove(stranger, room);
    await service.settle();
    await service.renewKey(stranger);
    await service.renewKey(friend);
  });

  test('Sees the same users when a channel is archived and unarchived', async () => {
    const old = await createChannel(service, [friend, stranger, guest]);
    const archive = async () => {
      expect(await newsOf(() => owner.delete(`/streams/${old.channelId}`))).toEqual([]);
      expect((await guest.get(`/users/${stranger.userId}`)).status).toBe(200);
    };
    const restore = () => owner.patch(`/streams/${old.channelId}`, { is_archived: false });
    const knowing = { archived_channels: true };
    await expectConsistentSnapshot(
      service,
      [[guest, knowing], [friend, knowing], [guest, INCOMPLETE], owner],
      [archive, restore],
    );
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
    const messages = (await queue.drain()).map(({ message }) => message);
    const { full_name } = (await owner.get('/users/me')).body;
    expect(messages.map((one) => one.sender_full_name)).toEqual(['Unknown user', full_name, 'Unknown user']);
    expect(messages.map((one) => one.sender_id)).toEqual(messages.map(() => owner.userId));
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
    const one = await createUser(service, 'Turncoat');
    await add(one, room);
    const sees = async (status: number) =>
      expect((await one.get(`/users/${stranger.userId}`)).status).toBe(status);
    const begin = async () => {
      await setRole(one, roles.guest);
      await sees(400);
    };
    const end = async () => {
      await setRole(one, roles.member);
      await sees(200);
    };
    const mixed = async () => {
      await setRole(one, roles.guest);
      await owner.patch(`/users/${stranger.userId}`, { full_name: 'Unheard' });
      await setRole(one, roles.member);
      await owner.patch(`/users/${stranger.userId}`, { full_name: 'Stranger' });
      await setRole(one, roles.guest);
    };
    await expectConsistentSnapshot(
      service,
      [one, [one, INCOMPLETE], [guest, INCOMPLETE], owner],
      [begin, end, mixed],
    );
  });

  test('Starts and ends for all guests with the setting of the organization', async () => {
    const sees = async (status: number) =>
      expect((await guest.get(`/users/${stranger.userId}`)).status).toBe(status);
    const end = async () => {
      await limit(EVERYONE);
      await sees(200);
    };
    const begin = async () => {
      await limit(MEMBERS);
      await sees(400);
    };
    const mixed = async () => {
      await limit(EVERYONE);
      await owner.patch(`/users/${stranger.userId}`, { full_name: 'Heard' });
      await limit(MEMBERS);
      await owner.patch(`/users/${stranger.userId}`, { full_name: 'Stranger' });
      await limit(EVERYONE);
      await limit(MEMBERS);
    };
    await expectConsistentSnapshot(service, [guest, [guest, INCOMPLETE], friend], [end, begin, mixed]);
  });
});
