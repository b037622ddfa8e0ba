import { describe, expect, test } from 'vitest';
import { type Role, roles } from '#shared/domain/users/user.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createBot } from '../../bots/bots.ts';

const service = await startTestService();
const { owner } = service;
const administrator = await createUser(service, 'Administrator', roles.administrator);
const member = await createUser(service, 'Member');
const guest = await createUser(service, 'Guest', roles.guest);

const LAST = 'The owner permission cannot be removed from the only organization owner.';
const edit = (by: Client, who: Client, params: Params) => by.patch(`/users/${who.userId}`, params);
const roleOf = async ({ userId }: Client) => (await owner.get(`/users/${userId}`)).body.user.role;
const person = (role: Role) => createUser(service, 'Person', role);

describe('The owner role', () => {
  test('Can be granted and removed by owners only', proves('edit-user.8', 'edit-user.9'), async () => {
    const second = await person(roles.member);
    expectRefusal(await edit(administrator, second, { role: roles.owner }), 'Must be an organization owner', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    expect((await edit(owner, second, { role: roles.owner })).status).toBe(200);
    expectRefusal(
      await edit(administrator, second, { role: roles.member }),
      'Must be an organization owner',
      { code: 'UNAUTHORIZED_PRINCIPAL' },
    );
    expect(await roleOf(second)).toBe(roles.owner);
    expect((await edit(administrator, second, { role: roles.owner, full_name: 'Same Role' })).status).toBe(
      200,
    );
    expect((await edit(second, second, { role: roles.member })).status).toBe(200);
  });

  test('Stays with the only owner besides bots and deactivated ones', proves('edit-user.10'), async () => {
    const bot = await person(roles.owner);
    await service.makeBot(bot, owner);
    const gone = await person(roles.owner);
    await service.deactivate(gone);
    for (const role of [200, 300, 400, 600]) expectRefusal(await edit(owner, owner, { role }), LAST);
    expect(await roleOf(owner)).toBe(roles.owner);
    expect((await edit(owner, bot, { role: roles.member })).status).toBe(200);
    expect((await edit(owner, gone, { role: roles.member })).status).toBe(200);
  });

  test('Stays with one of two owners who remove it at once', proves('edit-user.10'), async () => {
    for (let round = 0; round < 6; round++) {
      const second = await person(roles.owner);
      const isMutual = round % 2 === 0;
      const replies = await Promise.all([
        edit(isMutual ? second : owner, owner, { role: roles.member }),
        edit(isMutual ? owner : second, second, { role: roles.member }),
      ]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
      const refused = replies.find(({ status }) => status === 400);
      if (refused?.body.code === 'BAD_REQUEST' && refused.body.msg !== LAST)
        expect(refused.body.msg).toBe('Insufficient permission');
      const owners = (await second.get('/users')).body.members.filter(
        (one: { is_owner: boolean; is_active: boolean }) => one.is_owner && one.is_active,
      );
      expect(owners).toHaveLength(1);
      if (owners[0].user_id === owner.userId) continue;
      await edit(second, owner, { role: roles.owner });
      await edit(owner, second, { role: roles.member });
    }
  });
});

describe('Changing a role', () => {
  test.each([200, 300, 400, 600] as const)('Sets the role %i', proves('edit-user.8'), async (role) => {
    const one = await person(role === 400 ? roles.moderator : roles.member);
    expect((await edit(administrator, one, { role })).status).toBe(200);
    expect(await roleOf(one)).toBe(role);
  });

  test('Turns a guest into a member before an administrator or owner', proves('edit-user.15'), async () => {
    const one = await person(roles.guest);
    for (const role of [roles.administrator, roles.owner])
      expectRefusal(await edit(owner, one, { role }), 'Guests cannot be organization administrators');
    expect(await roleOf(one)).toBe(roles.guest);
    for (const role of [roles.member, roles.administrator, roles.guest])
      expect((await edit(owner, one, { role })).status).toBe(200);
  });

  test('Notifies every user, and sends nothing if it stays', async () => {
    const one = await person(roles.member);
    const queue = await guest.listen();
    await edit(administrator, one, { role: roles.member });
    expect(await queue.drain()).toEqual([]);
    await edit(administrator, one, { role: roles.moderator });
    expect((await queue.drain()).filter(({ type }) => type === 'realm_user')).toEqual([
      {
        id: expect.any(Number),
        type: 'realm_user',
        op: 'update',
        person: { user_id: one.userId, role: roles.moderator },
      },
    ]);
  });

  test('Takes effect at once', async () => {
    const one = await person(roles.administrator);
    await edit(owner, one, { role: roles.member });
    expectRefusal(await edit(one, guest, { full_name: 'Xy' }), 'Insufficient permission');
  });
});

describe('Snapshot and events after a change of role', () => {
  const changes: [Role, Role][] = [
    [roles.guest, roles.member],
    [roles.member, roles.guest],
    [roles.member, roles.administrator],
    [roles.administrator, roles.member],
    [roles.administrator, roles.guest],
    [roles.moderator, roles.owner],
    [roles.owner, roles.moderator],
  ];

  test('Agree for every user between all pairs of roles', async () => {
    const ones: Client[] = [];
    for (const [from] of changes) ones.push(await person(from));
    const bot = await createUser(service, 'Robot');
    await service.makeBot(bot, member);
    await createChannel(service, [member, ...ones]);
    await createChannel(service, [owner, member], { is_default_stream: true });
    await createChannel(service, [member], { invite_only: true });
    await createChannel(service, [member, ...ones], { invite_only: true });
    const administered = { direct_members: ones.map(({ userId }) => userId), direct_subgroups: [] };
    await createChannel(service, [member], { invite_only: true, can_administer_channel_group: administered });
    await expectConsistentSnapshot(service, [owner, administrator, member, guest, ...ones], async () => {
      for (const [index, [from, to]] of changes.entries()) {
        const { status } = await edit(owner, ones[index] as Client, { role: to });
        expect(status, `${from} becomes ${to}`).toBe(200);
      }
    });
  });

  test('Agree if the newly visible data changes before the client polls', async () => {
    const one = await person(roles.guest);
    const { name, channelId } = await createChannel(service, [member, administrator]);
    await expectConsistentSnapshot(service, [owner, one], async () => {
      await edit(owner, one, { role: roles.member });
      await owner.subscribe(name);
      await member.delete('/users/me/subscriptions', { subscriptions: [name] });
      await one.subscribe(name);
      await one.send(channelId, 'topic', 'hello');
    });
  });

  test('Contain public channels and their subscribers for a guest who becomes a member', async () => {
    const one = await person(roles.guest);
    const { channelId } = await createChannel(service, [member, administrator]);
    const hidden = await createChannel(service, [member], { invite_only: true });
    const queue = await one.listen();
    await edit(owner, one, { role: roles.member });
    const events = await queue.drain();
    const created = events.filter(({ type, op }) => type === 'stream' && op === 'create');
    expect(created).toHaveLength(1);
    const ids = created[0]?.streams.map((channel: { stream_id: number }) => channel.stream_id);
    expect(ids).toContain(channelId);
    expect(ids).not.toContain(hidden.channelId);
    const peers = events.filter(({ op, stream_ids }) => op === 'peer_add' && stream_ids.includes(channelId));
    expect(peers.map(({ user_ids }) => user_ids)).toEqual([
      [administrator.userId, member.userId].sort((a, b) => a - b),
    ]);
    expect(events.filter(({ type }) => type === 'default_streams')).toHaveLength(1);
  });

  test('Contain a private channel that a group administers, also after another role', async () => {
    const one = await person(roles.member);
    const { body } = await owner.post('/user_groups/create', {
      name: `administrators of ${one.userId}`,
      description: '',
      members: [one.userId],
    });
    const secret = await createChannel(service, [owner], {
      invite_only: true,
      can_administer_channel_group: body.group_id,
    });
    const queue = await one.listen({ event_types: ['stream', 'subscription'] });
    await expectConsistentSnapshot(service, [one, owner], () => edit(owner, one, { role: roles.moderator }));
    expect(await queue.drain()).toEqual([]);
    expect((await one.get(`/streams/${secret.channelId}`)).status).toBe(200);
  });

  test('Contain the subscriptions of a member who becomes a guest', async () => {
    const one = await person(roles.member);
    const kept = await createChannel(service, [member, one]);
    const lost = await createChannel(service, [member]);
    const queue = await one.listen();
    await edit(owner, one, { role: roles.guest });
    const events = await queue.drain();
    const deleted = events.filter(({ type, op }) => type === 'stream' && op === 'delete');
    expect(deleted).toHaveLength(1);
    expect(deleted[0]?.stream_ids).toContain(lost.channelId);
    expect(deleted[0]?.stream_ids).not.toContain(kept.channelId);
    await member.send(kept.channelId, 'topic', 'still here');
    expect((await queue.drain()).map(({ type }) => type)).toContain('message');
  });
});

test('A new role shows an address also if its visibility changes before the client gets the role', async () => {
  const shy = await person(roles.member);
  const risen = await person(roles.member);
  const showTo = (visibility: number) => shy.patch('/settings', { email_address_visibility: visibility });
  await showTo(5);
  await expectConsistentSnapshot(service, [risen], async () => {
    await edit(owner, risen, { role: roles.moderator });
    await showTo(2);
  });
});

const HIGHER = "The role of a bot cannot be higher than its owner's.";

test('Nobody gives a bot a higher role than its owner has', async () => {
  const bot = await createBot(member);
  for (const role of [roles.administrator, roles.moderator])
    for (const by of [administrator, owner]) expectRefusal(await edit(by, bot, { role: role }), HIGHER);
  expectRefusal(await edit(owner, bot, { role: roles.owner }), HIGHER);
  expect(await roleOf(bot)).toBe(roles.member);
});

test('A bot may have the role of its owner, or a lower one', async () => {
  const bot = await createBot(administrator);
  for (const role of [roles.administrator, roles.moderator, roles.member, roles.guest]) {
    expect((await edit(owner, bot, { role: role })).status).toBe(200);
    expect(await roleOf(bot)).toBe(role);
  }
});

test('A bot is not handed to an owner of a lower role', async () => {
  const bot = await createBot(administrator);
  await edit(owner, bot, { role: roles.administrator });
  const hand = (to: Client) => owner.patch(`/bots/${bot.userId}`, { bot_owner_id: to.userId });
  expectRefusal(await hand(member), HIGHER);
  expect((await hand(owner)).status).toBe(200);
  await edit(owner, bot, { role: roles.member });
  expect((await hand(member)).status).toBe(200);
});
