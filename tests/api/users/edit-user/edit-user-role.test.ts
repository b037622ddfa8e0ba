import { describe, expect, test } from 'vitest';
import { type Role, roles } from '#shared/domain/users/user.ts';
import { createGroup } from '#tests/api/user-groups/group-calls.ts';
import { createRoles, userAs } from '#tests/api/users/accounts.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createBot } from '../../bots/bots.ts';

const service = await startTestService();
const { owner, administrator, member, guest } = await createRoles(service);

const LAST = 'The owner permission cannot be removed from the only organization owner.';
const edit = (by: Client, who: Client, params: Params) => by.patch(`/users/${who.userId}`, params);
const roleOf = async (user: Client) => (await userAs(owner, user)).role;
const newPerson = (role: Role) => createUser(service, 'Person', role);
const expectOwnerRequired = (reply: Reply) =>
  expectRefusal(reply, 'Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' });
/** Gives a user a role, which has to succeed. */
const become = async (user: Client, role: Role, by = owner) =>
  expect((await edit(by, user, { role })).status, `${role}`).toBe(200);

describe('The owner role', () => {
  test('Can be granted and removed by owners only', proves('edit-user.8', 'edit-user.9'), async () => {
    const second = await newPerson(roles.member);
    expectOwnerRequired(await edit(administrator, second, { role: roles.owner }));
    await become(second, roles.owner);
    expectOwnerRequired(await edit(administrator, second, { role: roles.member }));
    expect(await roleOf(second)).toBe(roles.owner);
    const same = { role: roles.owner, full_name: 'Same Role' };
    expect((await edit(administrator, second, same)).status).toBe(200);
    await become(second, roles.member, second);
  });

  test('Stays with the only owner besides bots and deactivated people', proves('edit-user.10'), async () => {
    const bot = await newPerson(roles.owner);
    await service.makeBot(bot, owner);
    const gone = await newPerson(roles.owner);
    await service.deactivate(gone);
    for (const role of [200, 300, 400, 600]) expectRefusal(await edit(owner, owner, { role }), LAST);
    expect(await roleOf(owner)).toBe(roles.owner);
    for (const user of [bot, gone]) await become(user, roles.member);
  });

  test('Stays with one of two owners who remove it at once', proves('edit-user.10'), async () => {
    for (let round = 0; round < 6; round++) {
      const second = await newPerson(roles.owner);
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
        ({ is_owner, is_active }: { is_owner: boolean; is_active: boolean }) => is_owner && is_active,
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
    const person = await newPerson(role === 400 ? roles.moderator : roles.member);
    await become(person, role, administrator);
    expect(await roleOf(person)).toBe(role);
  });

  test('Turns a guest into a member before an administrator or owner', proves('edit-user.15'), async () => {
    const person = await newPerson(roles.guest);
    for (const role of [roles.administrator, roles.owner])
      expectRefusal(await edit(owner, person, { role }), 'Guests cannot be organization administrators');
    expect(await roleOf(person)).toBe(roles.guest);
    for (const role of [roles.member, roles.administrator, roles.guest]) await become(person, role);
  });

  test('Notifies every user, and sends nothing if it stays', async () => {
    const person = await newPerson(roles.member);
    const queue = await guest.listen();
    await edit(administrator, person, { role: roles.member });
    expect(await queue.drain()).toEqual([]);
    await edit(administrator, person, { role: roles.moderator });
    const changed = { person: { user_id: person.userId, role: roles.moderator } };
    expect((await queue.drain()).filter(({ type }) => type === 'realm_user')).toEqual([
      { id: expect.any(Number), type: 'realm_user', op: 'update', ...changed },
    ]);
  });

  test('Takes effect at once', async () => {
    const person = await newPerson(roles.administrator);
    await edit(owner, person, { role: roles.member });
    expectRefusal(await edit(person, guest, { full_name: 'Xy' }), 'Insufficient permission');
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
    const people: Client[] = [];
    for (const [from] of changes) people.push(await newPerson(from));
    const bot = await createUser(service, 'Robot');
    await service.makeBot(bot, member);
    await createChannel(service, [member, ...people]);
    await createChannel(service, [owner, member], { is_default_stream: true });
    await createChannel(service, [member], { invite_only: true });
    await createChannel(service, [member, ...people], { invite_only: true });
    const administered = { direct_members: people.map(({ userId }) => userId), direct_subgroups: [] };
    await createChannel(service, [member], { invite_only: true, can_administer_channel_group: administered });
    await expectConsistentSnapshot(service, [owner, administrator, member, guest, ...people], async () => {
      for (const [index, [, to]] of changes.entries()) await become(people[index] as Client, to);
    });
  });

  test('Agree if the newly visible data changes before the client polls', async () => {
    const person = await newPerson(roles.guest);
    const { name, channelId } = await createChannel(service, [member, administrator]);
    await expectConsistentSnapshot(service, [owner, person], async () => {
      await edit(owner, person, { role: roles.member });
      await owner.subscribe(name);
      await member.delete('/users/me/subscriptions', { subscriptions: [name] });
      await person.subscribe(name);
      await person.send(channelId, 'topic', 'hello');
    });
  });

  test('Contain public channels and their subscribers for a guest who becomes a member', async () => {
    const person = await newPerson(roles.guest);
    const { channelId } = await createChannel(service, [member, administrator]);
    const hidden = await createChannel(service, [member], { invite_only: true });
    const queue = await person.listen();
    await edit(owner, person, { role: roles.member });
    const events = await queue.drain();
    const created = events.filter(({ type, op }) => type === 'stream' && op === 'create');
    expect(created).toHaveLength(1);
    const ids = created[0]?.streams.map((channel: { stream_id: number }) => channel.stream_id);
    expect(ids).toContain(channelId);
    expect(ids).not.toContain(hidden.channelId);
    const peers = events.filter(({ op, stream_ids }) => op === 'peer_add' && stream_ids.includes(channelId));
    expect(peers).toMatchObject([{ user_ids: [administrator.userId, member.userId] }]);
    expect(events.filter(({ type }) => type === 'default_streams')).toHaveLength(1);
  });

  test('Contain a private channel that a group administers, also after another role', async () => {
    const person = await newPerson(roles.member);
    const can_administer_channel_group = await createGroup(owner, [person]);
    const settings = { invite_only: true, can_administer_channel_group };
    const secret = await createChannel(service, [owner], settings);
    const queue = await person.listen({ event_types: ['stream', 'subscription'] });
    const promote = () => edit(owner, person, { role: roles.moderator });
    await expectConsistentSnapshot(service, [person, owner], promote);
    expect(await queue.drain()).toEqual([]);
    expect((await person.get(`/streams/${secret.channelId}`)).status).toBe(200);
  });

  test('Contain the subscriptions of a member who becomes a guest', async () => {
    const person = await newPerson(roles.member);
    const kept = await createChannel(service, [member, person]);
    const lost = await createChannel(service, [member]);
    const queue = await person.listen();
    await edit(owner, person, { role: roles.guest });
    const events = await queue.drain();
    const [deleted, ...others] = events.filter(({ type, op }) => type === 'stream' && op === 'delete');
    expect(others).toEqual([]);
    expect(deleted?.stream_ids).toContain(lost.channelId);
    expect(deleted?.stream_ids).not.toContain(kept.channelId);
    await member.send(kept.channelId, 'topic', 'still here');
    expect((await queue.drain()).map(({ type }) => type)).toContain('message');
  });
});

test('A new role shows an address also if its visibility changes before the client gets the role', async () => {
  const shy = await newPerson(roles.member);
  const risen = await newPerson(roles.member);
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
    await become(bot, role);
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
