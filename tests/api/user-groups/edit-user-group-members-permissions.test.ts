// The operations editUserGroupMembers and editUserGroupSubgroups.
import { describe, expect, test } from 'vitest';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { change, createGroup, deactivate, groups, people, succeeds } from './group-calls.ts';
import { drainGroups, expectMembersOnly, recordOf } from './group-records.ts';

const service = await startTestService();
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const administrator = await createUser(service, 'Administrator', 200);
const guest = await createUser(service, 'Guest', 600);

type Attempt = 'join' | 'leave' | 'add' | 'remove' | 'addGroup' | 'removeGroup';
const all: Attempt[] = ['join', 'leave', 'add', 'remove', 'addGroup', 'removeGroup'];

/** The actions of the client on groups with these settings: one with them as a member, and one without. */
async function allowed(client: Client, settings: Params): Promise<Attempt[]> {
  const groupId = await createGroup(ada, [cy], { subgroups: [3], ...settings });
  const own = await createGroup(ada, [client], settings);
  const requests: Record<Attempt, [number, Params]> = {
    join: [groupId, { add: [client.userId] }],
    leave: [own, { delete: [client.userId] }],
    add: [groupId, { add: [guest.userId] }],
    remove: [groupId, { delete: [cy.userId] }],
    addGroup: [groupId, { add_subgroups: [4] }],
    removeGroup: [groupId, { delete_subgroups: [3] }],
  };
  const done: Attempt[] = [];
  for (const attempt of all) {
    const reply = await change(client, ...requests[attempt]);
    if (reply.status === 200) done.push(attempt);
    else expectRefusal(reply, 'Insufficient permission');
  }
  return done;
}

const nothing = {
  can_add_members_group: 1,
  can_join_group: 1,
  can_leave_group: 1,
  can_manage_group: 1,
  can_remove_members_group: 1,
};

describe('Group permissions', () => {
  test.each<[string, Attempt[]]>([
    ['can_add_members_group', ['join', 'add', 'addGroup']],
    ['can_remove_members_group', ['leave', 'remove', 'removeGroup']],
    ['can_join_group', ['join']],
    ['can_leave_group', ['leave']],
    ['can_manage_group', all],
    ['can_mention_group', []],
  ])('Allow by %s to %j', async (setting, expected) => {
    expect(await allowed(bo, { ...nothing, [setting]: 6 })).toEqual(expected);
    expect(await allowed(bo, { ...nothing, [setting]: people(bo) })).toEqual(expected);
    expect(await allowed(administrator, { ...nothing, [setting]: 3 })).toEqual(expected);
  });

  test('Allow nothing if all settings name others', async () => {
    const others = (value: unknown) =>
      Object.fromEntries([...Object.keys(nothing), 'can_mention_group'].map((name) => [name, value]));
    expect(await allowed(bo, others(people(cy)))).toEqual([]);
    expect(await allowed(bo, others(3))).toEqual([]);
  });

  test('Allow a member of a fresh group only to leave', async () => {
    expect(await allowed(bo, {})).toEqual(['leave']);
    expect(await allowed(administrator, {})).toEqual(['leave']);
    expect(await allowed(ada, {})).toEqual(all);
    expect(await allowed(service.owner, nothing)).toEqual(all);
  });

  test('Pass to members of the named group and its subgroups, while it is active', async () => {
    const team = await createGroup(ada, [bo]);
    const above = await createGroup(ada, [], { subgroups: [team] });
    const settings = { ...nothing, can_join_group: groups(2, above) };
    expect(await allowed(bo, settings)).toEqual(['join']);
    expect(await allowed(cy, settings)).toEqual([]);
    succeeds(await change(ada, above, { delete_subgroups: [team] }));
    expect(await allowed(bo, settings)).toEqual([]);
    succeeds(await deactivate(ada, team));
  });

  test('Require the right to add or remove for joining or leaving together with others', async () => {
    const open = await createGroup(ada, [cy], { can_join_group: 6 });
    for (const params of [{ add: [bo.userId, guest.userId] }, { add: [bo.userId], delete: [cy.userId] }])
      expectRefusal(await change(bo, open, params), 'Insufficient permission');
    succeeds(await change(bo, open, { add: [bo.userId] }));
    expectRefusal(await change(bo, open, { delete: [bo.userId, cy.userId] }), 'Insufficient permission');
    succeeds(await change(bo, open, { delete: [bo.userId] }));
  });

  test('Include the permissions of full members after the waiting period', async () => {
    await service.owner.get('/user_groups');
    expect(await allowed(bo, { ...nothing, can_join_group: 5 })).toEqual(['join']);
  });
});

const changeSubgroups = (client: Client, groupId: number, params: Params): Promise<Reply> =>
  client.post(`/user_groups/${groupId}/subgroups`, params);

test('Subgroups can be added and removed, and every user is notified', async () => {
  await expectConsistentSnapshot(service, [service.owner, bo, guest], async () => {
    const below = await createGroup(ada);
    const groupId = await createGroup(ada, [], { subgroups: [3] });
    const queue = await guest.listen();
    succeeds(await changeSubgroups(ada, groupId, { add: [below, 4, 4], delete: [3] }));
    const about = { type: 'user_group', group_id: groupId };
    expect(await drainGroups(queue)).toEqual([
      { ...about, op: 'add_subgroups', direct_subgroup_ids: [4, below] },
      { ...about, op: 'remove_subgroups', direct_subgroup_ids: [3] },
    ]);
    expect((await recordOf(ada, groupId)).direct_subgroup_ids).toEqual([4, below]);
  });
});

describe('Nothing changes in the subgroups', () => {
  test('If one of them is refused', async () => {
    const [below, gone] = [await createGroup(ada), await createGroup(ada)];
    const groupId = await createGroup(ada, [], { subgroups: [below] });
    succeeds(await deactivate(ada, gone));
    const before = await recordOf(ada, groupId);
    const cases: [Params, string][] = [
      [{}, 'Nothing to do. Specify at least one of "add" or "delete".'],
      [{ add: [], delete: [] }, 'Nothing to do. Specify at least one of "add" or "delete".'],
      [{ add: [4, below] }, `User group ${below} is already a subgroup of this group.`],
      [{ add: [4], delete: [3] }, 'User group 3 is not a subgroup of this group.'],
      [{ add: [4, 424242] }, 'Invalid user group ID: 424242'],
      [{ add: [4, gone] }, 'User group is deactivated.'],
      [{ add: [4, groupId] }, `User group ${groupId} is already a subgroup of one of the passed subgroups.`],
      [{ add: 4 }, 'add is not a list'],
    ];
    for (const [params, message] of cases)
      expectRefusal(await changeSubgroups(ada, groupId, params), message);
    const circular = `User group ${below} is already a subgroup of one of the passed subgroups.`;
    expectRefusal(await changeSubgroups(ada, below, { add: [groupId] }), circular);
    expect(await recordOf(ada, groupId)).toEqual(before);
  });

  test('If the caller may not add or remove', async () => {
    const groupId = await createGroup(ada, [], { subgroups: [3], can_add_members_group: 6 });
    succeeds(await changeSubgroups(bo, groupId, { add: [4] }));
    for (const params of [{ delete: [4] }, { add: [2], delete: [4] }])
      expectRefusal(await changeSubgroups(bo, groupId, params), 'Insufficient permission');
    expectMembersOnly(await changeSubgroups(guest, groupId, { add: [2] }));
    expectRefusal(await changeSubgroups(service.owner, 6, { add: [2] }), 'Insufficient permission');
    expectRefusal(await changeSubgroups(service.owner, 424242, { add: [2] }), 'Invalid user group');
  });
});
