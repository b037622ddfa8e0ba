import { describe, expect, test } from 'vitest';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { create, createGroup, deactivate, groups, newName, people, succeeds } from './group-calls.ts';
import { drainGroups, expectMembersOnly, membersOf, recordOf } from './group-records.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

describe('Creating a user group', () => {
  test('Applies the parameters, and the protocol’s defaults for other settings', async () => {
    const queue = await bo.listen();
    const { status, body } = await create(ada, {
      name: '  Designers ',
      description: 'Draw things',
      members: [bo.userId, guest.userId, bo.userId],
      subgroups: [4, 3],
      can_join_group: 6,
      can_mention_group: { direct_members: [bo.userId, bo.userId], direct_subgroups: [3] },
      can_leave_group: people(),
    });
    expect(status).toBe(200);
    const record = {
      id: body.group_id,
      name: 'Designers',
      description: 'Draw things',
      members: [bo.userId, guest.userId],
      direct_subgroup_ids: [3, 4],
      is_system_group: false,
      creator_id: ada.userId,
      date_created: expect.any(Number),
      deactivated: false,
      can_add_members_group: people(ada),
      can_join_group: 6,
      can_leave_group: 1,
      can_manage_group: people(ada),
      can_mention_group: { direct_members: [bo.userId], direct_subgroups: [3] },
      can_remove_members_group: 1,
    };
    expect(await recordOf(bo, body.group_id)).toEqual(record);
    const below = await bo.get(`/user_groups/${body.group_id}/subgroups`, { direct_subgroup_only: true });
    expect(below.body.subgroups).toEqual([3, 4]);
    expect(await drainGroups(queue)).toEqual([{ type: 'user_group', op: 'add', group: record }]);
  });

  test('Makes its creator a member only if they are named', async () => {
    const record = await recordOf(ada, await createGroup(ada));
    expect(record).toMatchObject({
      members: [],
      direct_subgroup_ids: [],
      can_add_members_group: people(ada),
      can_join_group: 1,
      can_leave_group: 7,
      can_manage_group: people(ada),
      can_mention_group: 7,
      can_remove_members_group: 1,
    });
    expect(Math.abs(record.date_created - Date.now() / 1000)).toBeLessThan(60);
  });

  test('Assigns the next id after the system groups', async () => {
    const first = await createGroup(ada);
    expect(first).toBeGreaterThan(8);
    expect(await createGroup(ada)).toBe(first + 1);
  });

  test('Accepts bots as members', async () => {
    const bot = await createUser(service, 'Robot');
    await service.makeBot(bot, ada);
    expect(await membersOf(ada, await createGroup(ada, [bot]))).toEqual([bot.userId]);
  });
});

describe('The name of a group', () => {
  test.each([
    ['', "User group name can't be empty!"],
    ['x'.repeat(101), 'User group name cannot exceed 100 characters.'],
    ['@all', "User group name cannot start with '@'."],
    ['role:owners', "User group name cannot start with 'role:'."],
    ['user:1', "User group name cannot start with 'user:'."],
    ['stream:1', "User group name cannot start with 'stream:'."],
    ['channel:1', "User group name cannot start with 'channel:'."],
    ['a\u0000b', 'Invalid characters in user group name!'],
  ])('Cannot be %j', async (name, message) => {
    expectRefusal(await create(ada, { name }), message);
  });

  test('Has at most 100 characters, whatever their encoding', async () => {
    for (const name of ['🦊'.repeat(100), 'Role:x']) {
      const { body } = await create(ada, { name });
      expect(await recordOf(ada, body.group_id)).toMatchObject({ name });
    }
  });

  test('Matches in every letter case and composition, deactivated groups included', async () => {
    const name = newName('Café');
    const groupId = await createGroup(ada, [], { name: name.normalize('NFC') });
    for (const same of [name, name.toUpperCase(), name.normalize('NFD'), ` ${name} `])
      expectRefusal(await create(ada, { name: same }), `User group '${same.trim()}' already exists.`);
    succeeds(await deactivate(ada, groupId));
    expectRefusal(await create(ada, { name }), `User group '${name}' already exists.`);
  });

  test('Goes to one of two simultaneous requests', async () => {
    const name = newName();
    const replies = await Promise.all([ada, bo, ada, bo].map((client) => create(client, { name })));
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(3);
    for (const reply of refused) expectRefusal(reply, `User group '${name}' already exists.`);
  });
});

describe('Creating a user group is refused', () => {
  const scattered = Array.from({ length: 50 }, (_, n) => n * 1000);
  test.each([
    [{ members: [424242] }, 'Invalid user ID: 424242'],
    [{ subgroups: [424242] }, 'Invalid user group ID: 424242'],
    [{ subgroups: [8] }, 'Invalid user group ID: 8'],
    [{ description: 'x'.repeat(1025) }, 'description is too long (limit: 1024 characters)'],
    [{ can_mention_group: 8 }, "'can_mention_group' setting cannot be set to 'role:internet' group."],
    [{ can_manage_group: 7 }, "'can_manage_group' setting cannot be set to 'role:everyone' group."],
    [{ can_manage_group: { direct_members: [424242], direct_subgroups: [] } }, 'Invalid user ID: 424242'],
    [{ members: scattered }, 'These users are too many for one request; name them in several.'],
  ])('With %j', async (params, message) => {
    const { body: before } = await ada.get('/user_groups');
    expectRefusal(await create(ada, params), message);
    expect((await ada.get('/user_groups')).body).toEqual(before);
  });

  test('With deactivated users or groups', async () => {
    const [cy] = await createUsers(service, 'Cy');
    await service.deactivate(cy);
    const groupId = await createGroup(ada);
    await deactivate(ada, groupId);
    expectRefusal(await create(ada, { members: [cy.userId] }), `Invalid user ID: ${cy.userId}`);
    for (const params of [
      { subgroups: [groupId] },
      { can_join_group: groupId },
      { can_join_group: groups(3, groupId) },
    ])
      expectRefusal(await create(ada, params), 'User group is deactivated.');
  });
});

describe('The right to create groups', () => {
  test('Belongs to members, not to guests', async () => {
    const moderator = await createUser(service, 'Moderator', 300);
    for (const client of [service.owner, moderator, ada]) succeeds(await create(client));
    expectMembersOnly(await create(guest));
  });

  test('Follows the organization’s can_create_groups', async () => {
    const { table } = service.services;
    const key = organizationKeys.organization();
    const set = (settings: object) => table.write({ kind: 'update', key, set: { groups: settings } });
    const groupId = await createGroup(ada, [bo]);
    await set({ can_create_groups: groupId });
    for (const client of [ada, service.owner]) expectRefusal(await create(client), 'Insufficient permission');
    succeeds(await create(bo));
    await set({});
  });
});
