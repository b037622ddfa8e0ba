import { describe, expect, test } from 'vitest';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { change, createGroup, deactivate, people, succeeds } from './group-calls.ts';

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
    const settings = { ...nothing, can_join_group: { direct_members: [], direct_subgroups: [2, above] } };
    expect(await allowed(bo, settings)).toEqual(['join']);
    expect(await allowed(cy, settings)).toEqual([]);
    succeeds(await change(ada, above, { delete_subgroups: [team] }));
    expect(await allowed(bo, settings)).toEqual([]);
    succeeds(await deactivate(ada, team));
  });

  test('Require the right to add or remove for joining or leaving together with others', async () => {
    const open = await createGroup(ada, [cy], { can_join_group: 6 });
    const request = { add: [bo.userId, guest.userId] };
    expectRefusal(await change(bo, open, request), 'Insufficient permission');
    expectRefusal(
      await change(bo, open, { add: [bo.userId], delete: [cy.userId] }),
      'Insufficient permission',
    );
    succeeds(await change(bo, open, { add: [bo.userId] }));
    expectRefusal(await change(bo, open, { delete: [bo.userId, cy.userId] }), 'Insufficient permission');
    succeeds(await change(bo, open, { delete: [bo.userId] }));
  });

  test('Include the permissions of full members after the waiting period', async () => {
    await service.owner.get('/user_groups');
    expect(await allowed(bo, { ...nothing, can_join_group: 5 })).toEqual(['join']);
  });
});
