import { beforeAll, describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import type { Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { create, createGroup, deactivate, edit, groups, newName, people, succeeds } from './group-calls.ts';
import { drainGroups, expectMembersOnly, recordOf } from './group-records.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

const knowing = { client_capabilities: { include_deactivated_groups: true } };

describe('Editing a group', () => {
  test('Changes the given fields, and notifies every user of them', async () => {
    const groupId = await createGroup(ada, [bo], { description: 'old' });
    const before = await recordOf(ada, groupId);
    const queue = await guest.listen();
    const name = newName('Renamed');
    const changes = {
      name: ` ${name} `,
      description: 'old',
      can_join_group: { new: 6 },
      can_leave_group: { new: groups(7) },
      can_mention_group: { new: { ...people(bo), direct_subgroups: [4, 3] }, old: 7 },
    };
    succeeds(await edit(ada, groupId, changes));
    const can_mention_group = { ...people(bo), direct_subgroups: [3, 4] };
    const data = { name, can_join_group: 6, can_mention_group };
    expect(await drainGroups(queue)).toEqual([{ type: 'user_group', op: 'update', group_id: groupId, data }]);
    expect(await recordOf(ada, groupId)).toEqual({ ...before, ...data });
  });

  test('Looks the same to a client that registers afterwards', async () => {
    const groupId = await createGroup(ada, [bo]);
    await expectConsistentSnapshot(service, [service.owner, bo, guest], async () => {
      succeeds(await edit(ada, groupId, { name: newName(), description: 'new' }));
      succeeds(await edit(ada, groupId, { can_manage_group: { new: people(bo) } }));
      succeeds(await edit(bo, groupId, { can_add_members_group: { new: groupId } }));
    });
  });

  test('Sends no event if nothing changes', async () => {
    const name = newName();
    const groupId = await createGroup(ada, [], { name });
    const queue = await ada.listen(knowing);
    const same = { name, description: '', can_join_group: { new: 1 }, deactivated: false };
    succeeds(await edit(ada, groupId, same));
    expect(await drainGroups(queue)).toEqual([]);
  });

  test('May change the letter case of a name, and frees the old name', async () => {
    const [name, next] = [newName('Mixed'), newName('Next')];
    const groupId = await createGroup(ada, [], { name });
    succeeds(await edit(ada, groupId, { name: name.toUpperCase() }));
    expectRefusal(await create(ada, { name }), `User group '${name}' already exists.`);
    succeeds(await edit(ada, groupId, { name: next }));
    succeeds(await create(ada, { name }));
    expectRefusal(await edit(ada, groupId, { name }), `User group '${name}' already exists.`);
  });

  test('Gives a name to one of two groups that request it at once', async () => {
    const name = newName();
    const groupIds = [await createGroup(ada), await createGroup(ada)];
    const replies = await Promise.all(groupIds.map((groupId) => edit(ada, groupId, { name })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test('Loses nothing if two requests change different fields at once', async () => {
    const groupId = await createGroup(ada);
    const edits = [{ description: 'new' }, { can_join_group: { new: 6 } }, { can_mention_group: { new: 3 } }];
    const replies = await Promise.all(edits.map((params) => edit(ada, groupId, params)));
    for (const reply of replies) succeeds(reply);
    const all = { description: 'new', can_join_group: 6, can_mention_group: 3 };
    expect(await recordOf(ada, groupId)).toMatchObject(all);
  });
});

describe('An edit of a group is refused without any effect', () => {
  const mismatch = [
    "'old' value does not match the expected value.",
    { code: 'EXPECTATION_MISMATCH' },
  ] as const;
  const cannotBe = (setting: string, group: string) =>
    `'${setting}' setting cannot be set to 'role:${group}' group.`;
  let groupId: number;
  let before: unknown;
  beforeAll(async () => {
    groupId = await createGroup(ada);
    before = await recordOf(ada, groupId);
  });

  test.each<[Params, string, Record<string, unknown>?]>([
    [{}, 'No new data supplied'],
    [{ name: '' }, "User group name can't be empty!"],
    [{ name: 'role:x', description: 'x' }, "User group name cannot start with 'role:'."],
    [{ name: 'x'.repeat(101) }, 'User group name cannot exceed 100 characters.'],
    [{ description: 'x'.repeat(1025) }, 'description is too long (limit: 1024 characters)'],
    [{ description: 'x', can_join_group: { new: 6, old: 6 } }, ...mismatch],
    [{ can_mention_group: { new: 6, old: { direct_members: [4], direct_subgroups: [7] } } }, ...mismatch],
    [{ description: 'x', can_join_group: { new: 8 } }, cannotBe('can_join_group', 'internet')],
    [{ can_add_members_group: { new: 7 } }, cannotBe('can_add_members_group', 'everyone')],
    [{ can_leave_group: { new: 424242 } }, 'Invalid user group ID: 424242'],
    [{ can_leave_group: {} }, 'can_leave_group["new"] field is missing: Field required'],
    [{ deactivated: true }, 'Invalid deactivated'],
  ])('With %j', async (params, message, refusal = {}) => {
    expectRefusal(await edit(ada, groupId, params), message, refusal);
    expect(await recordOf(ada, groupId)).toEqual(before);
  });

  test.each([
    [424242, 'Invalid user group'],
    [2, 'Insufficient permission'],
  ])('For group %s', async (id, message) => {
    expectRefusal(await edit(service.owner, id, { description: 'x' }), message);
  });
});

test('The right to edit a group belongs to managers of the group, or of all groups', async () => {
  const administrator = await createUser(service, 'Administrator', 200);
  const groupId = await createGroup(ada, [bo], { can_add_members_group: 6, can_join_group: 6 });
  for (const client of [bo, administrator])
    expectRefusal(await edit(client, groupId, { description: 'x' }), 'Insufficient permission');
  expectMembersOnly(await edit(guest, groupId, { description: 'x' }));
  succeeds(await edit(ada, groupId, { can_manage_group: { new: groupId } }));
  succeeds(await edit(bo, groupId, { description: 'by a member' }));
  expectRefusal(await edit(ada, groupId, { description: 'x' }), 'Insufficient permission');
  succeeds(await edit(service.owner, groupId, { description: 'by an owner' }));
});

describe('A deactivated group', () => {
  test('May be renamed, for clients that support it', proves('deactivate-user-group.4'), async () => {
    const groupId = await createGroup(ada);
    succeeds(await deactivate(ada, groupId));
    const queues = await Promise.all([bo.listen(knowing), bo.listen()]);
    const name = newName();
    succeeds(await edit(ada, groupId, { name }));
    const event = { type: 'user_group', op: 'update', group_id: groupId, data: { name } };
    expect(await Promise.all(queues.map(drainGroups))).toEqual([[event], []]);
    const refusal = 'You can only change name of deactivated user groups';
    for (const params of [{ description: 'x' }, { can_join_group: { new: 6 } }, { name, description: 'x' }])
      expectRefusal(await edit(ada, groupId, params), refusal);
  });

  test('Comes back as an update for clients that support it, and as a new group for others', async () => {
    const [gone] = await createUsers(service, 'Gone');
    const groupId = await createGroup(ada, [bo, gone]);
    const inner = await createGroup(ada, [ada]);
    succeeds(await ada.post(`/user_groups/${groupId}/subgroups`, { add: [inner] }));
    succeeds(await deactivate(ada, groupId));
    await service.deactivate(gone);
    const queues = await Promise.all([bo.listen(knowing), bo.listen()]);
    const data = { description: 'again', deactivated: false };
    succeeds(await edit(ada, groupId, data));
    const group = await recordOf(ada, groupId);
    expect(group).toMatchObject({ ...data, members: [bo.userId], direct_subgroup_ids: [inner] });
    expect(await Promise.all(queues.map(drainGroups))).toEqual([
      [{ type: 'user_group', op: 'update', group_id: groupId, data }],
      [{ type: 'user_group', op: 'add', group }],
    ]);
    succeeds(await edit(ada, groupId, { description: 'and again' }));
  });

  test.each([true, false])('Comes back for every user; clients support it: %s', async (knows) => {
    const write = async () => {
      const groupId = await createGroup(ada, [bo]);
      succeeds(await deactivate(ada, groupId));
      succeeds(await edit(ada, groupId, { name: newName(), deactivated: false }));
      succeeds(await edit(ada, groupId, { description: 'active' }));
    };
    const capabilities = { include_deactivated_groups: knows };
    await expectConsistentSnapshot(service, [service.owner, bo, guest], write, capabilities);
  });
});
