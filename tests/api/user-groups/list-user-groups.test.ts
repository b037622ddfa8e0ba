// The operations listUserGroups, getUserGroupMembership, listUserGroupMembers and listUserGroupSubgroups.
import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { applyEvents } from '#tests/harness/snapshot/apply-events.ts';
import { expectConsistentSnapshot, REQUEST } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createGroup, deactivate, succeeds } from './group-calls.ts';
import { drainGroups, expectMembersOnly } from './group-records.ts';

const DAY_MS = 24 * 3600 * 1000;

const service = await startTestService();
const [ada, bo, cy, gone] = await createUsers(service, 'Ada', 'Bo', 'Cy', 'Gone');
const administrator = await createUser(service, 'Administrator', 200);
const moderator = await createUser(service, 'Moderator', 300);
const guest = await createUser(service, 'Guest', 600);

const inner = await createGroup(ada, [cy, bo], { subgroups: [4] });
const groupId = await createGroup(ada, [guest, bo, gone], { subgroups: [inner] });
const deactivated = await createGroup(ada, [bo]);
succeeds(await deactivate(ada, deactivated));
await service.deactivate(gone);

const ABOVE = [service.owner, administrator, moderator];
const idsOf = (...clients: Client[]): number[] => clients.map(({ userId }) => userId).sort((a, b) => a - b);
const members = async (id: number, params = {}): Promise<number[]> =>
  (await ada.get(`/user_groups/${id}/members`, params)).body.members;
const isMember = async (id: number, { userId }: Client, params = {}): Promise<boolean> =>
  (await ada.get(`/user_groups/${id}/members/${userId}`, params)).body.is_user_group_member;
const below = async (id: number, params = {}): Promise<number[]> =>
  (await ada.get(`/user_groups/${id}/subgroups`, params)).body.subgroups;
const direct = { direct_member_only: true };
const directGroups = { direct_subgroup_only: true };

test.each(['members', 'subgroups', 'members/9'])('An unknown group has no %s', async (list) => {
  expectRefusal(await ada.get(`/user_groups/999/${list}`), 'Invalid user group');
});

describe('The members of a group', () => {
  test('Include its own members and the members of all subgroups, each once', async () => {
    expect(await members(groupId)).toEqual(idsOf(bo, cy, guest, ...ABOVE));
    expect(await members(groupId, direct)).toEqual(idsOf(bo, guest));
  });

  test('Follow from roles in system groups', async () => {
    expect(await members(1)).toEqual([]);
    expect(await members(4)).toEqual(idsOf(...ABOVE));
    expect(await members(4, direct)).toEqual(idsOf(moderator));
    expect(await members(6)).toEqual(idsOf(ada, bo, cy, ...ABOVE));
    expect(await members(7)).toEqual(idsOf(ada, bo, cy, guest, ...ABOVE));
    expect(await members(8, direct)).toEqual([]);
  });

  test('Stay known in a deactivated group', async () => {
    expect(await members(deactivated)).toEqual(idsOf(bo));
  });
});

describe('A user belongs to a group', () => {
  const people = [ada, bo, cy, guest, gone, service.owner];
  const among = (id: number, params = {}) =>
    Promise.all(people.map((client) => isMember(id, client, params)));

  test('Directly or through a subgroup, unless only direct members count, while their account is active', async () => {
    expect(await among(groupId)).toEqual([false, true, true, true, false, true]);
    expect(await among(groupId, direct)).toEqual([false, true, false, true, false, false]);
  });

  test('By their role if it is a system group', async () => {
    expect(await among(4)).toEqual([false, false, false, false, false, true]);
    expect(await among(4, direct)).toEqual(people.map(() => false));
    expect(await among(6)).toEqual([true, true, true, false, false, true]);
    expect(await among(1)).toEqual(people.map(() => false));
  });

  test('As before if the group is deactivated', async () => {
    expect(await among(deactivated)).toEqual([false, true, false, false, false, false]);
  });
});

describe('The subgroups of a group', () => {
  test('Include all groups below it, or only direct ones on request', async () => {
    const lowest = await createGroup(ada, [], { subgroups: [4] });
    const middle = await createGroup(ada, [], { subgroups: [lowest, 1] });
    const top = await createGroup(ada, [], { subgroups: [middle, lowest] });
    expect(await below(lowest)).toEqual([2, 3, 4]);
    expect(await below(lowest, directGroups)).toEqual([4]);
    expect(await below(top)).toEqual([1, 2, 3, 4, lowest, middle]);
    expect(await below(top, directGroups)).toEqual([lowest, middle]);
    expect(await below(await createGroup(ada))).toEqual([]);
  });

  test('Form a chain in system groups', async () => {
    expect(await below(8)).toEqual([2, 3, 4, 5, 6, 7]);
    expect(await below(8, directGroups)).toEqual([7]);
    expect(await below(2)).toEqual([]);
    expect(await below(1)).toEqual([]);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: a client sees JSON of any shape
type Records = any[];
const listGroups = async (client: Client, params = {}): Promise<Records> =>
  (await client.get('/user_groups', params)).body.user_groups;
const ofRegister = async (client: Client, capabilities = {}): Promise<Records> =>
  (await client.register({ client_capabilities: capabilities })).snapshot.realm_user_groups;
const fullMembers = async (): Promise<number[]> =>
  (await listGroups(ada)).find(({ name }) => name === 'role:fullmembers').members;

describe('The system groups', () => {
  test('Come first, with each user in the group of their role', async () => {
    const [owners, people] = [idsOf(service.owner), idsOf(ada, bo, cy)];
    const here = 'of this organization';
    const expected = [
      ['nobody', 'Nobody', [], []],
      ['owners', `Owners ${here}`, owners, []],
      ['administrators', `Administrators ${here}, including owners`, idsOf(administrator), [2]],
      ['moderators', `Moderators ${here}, including administrators`, idsOf(moderator), [3]],
      ['fullmembers', `Members ${here}, not including new accounts and guests`, people, [4]],
      ['members', `Members ${here}, not including guests`, people, [5]],
      ['everyone', 'Everyone in this organization, including guests', idsOf(guest), [6]],
      ['internet', 'Everyone on the Internet', [], [7]],
    ];
    const system = (await listGroups(ada)).filter(({ is_system_group }) => is_system_group);
    expect(system).toEqual(
      expected.map(([role, description, members, direct_subgroup_ids], index) => ({
        id: index + 1,
        name: `role:${role}`,
        description,
        members,
        direct_subgroup_ids,
        is_system_group: true,
        creator_id: null,
        date_created: expect.any(Number),
        deactivated: false,
        can_add_members_group: 1,
        can_join_group: 1,
        can_leave_group: 1,
        can_manage_group: 1,
        can_mention_group: 1,
        can_remove_members_group: 1,
      })),
    );
  });

  test('Contain neither deactivated users nor the bots of the service', async () => {
    const leaver = await createUser(service, 'Leaver');
    const membersNow = async () => (await listGroups(ada)).flatMap(({ members }) => members);
    expect(await membersNow()).toContain(leaver.userId);
    await service.deactivate(leaver);
    for (const id of [leaver.userId, 1, 2, 3]) expect(await membersNow()).not.toContain(id);
  });

  test('Contain a new account, and every user is notified', async () => {
    await expectConsistentSnapshot(service, [service.owner, ada, guest], async () => {
      const queue = await guest.register();
      const fresh = await service.createUser('Fresh');
      const about = { type: 'user_group', op: 'add_members', user_ids: [fresh.userId] };
      expect(await drainGroups(queue)).toEqual([
        { ...about, group_id: 5 },
        { ...about, group_id: 6 },
      ]);
    });
  });
});

test('The group of full members contains members after the waiting period, and notifies every user', async () => {
  const before = await fullMembers();
  const week = { idle_queue_timeout: 7 * 24 * 3600 };
  const observer = await guest.register({ ...REQUEST, ...week });
  succeeds(await service.owner.patch('/realm', { waiting_period_threshold: 3 }));
  expect(await fullMembers()).toEqual([]);
  const queue = await ada.register(week);
  const fresh = await service.createUser('Newcomer');
  expect(await drainGroups(queue)).toEqual([
    { type: 'user_group', op: 'add_members', group_id: 6, user_ids: [fresh.userId] },
  ]);
  service.advance(2 * DAY_MS);
  await sweep(service.services);
  expect(await fullMembers()).toEqual([]);
  expect(await drainGroups(queue)).toEqual([]);
  service.advance(DAY_MS + 2 * 3600 * 1000);
  await Promise.all([sweep(service.services), sweep(service.services)]);
  const after = [...before, fresh.userId];
  expect(await fullMembers()).toEqual(after);
  expect(await drainGroups(queue)).toEqual([
    { type: 'user_group', op: 'add_members', group_id: 5, user_ids: after },
  ]);
  await service.createUser('Later');
  succeeds(await service.owner.patch('/realm', { waiting_period_threshold: 0 }));
  const replayed = applyEvents(observer.snapshot, await observer.drain());
  expect(replayed.realm_user_groups).toEqual(await ofRegister(guest));
});

test('Deactivated groups appear on request, and in register for clients that support them', async () => {
  const idsIn = (groups: Records): number[] => groups.map(({ id }) => id);
  for (const groups of [
    await listGroups(ada),
    await listGroups(ada, { include_deactivated_groups: false }),
    await ofRegister(guest),
  ]) {
    expect(idsIn(groups)).toContain(groupId);
    expect(idsIn(groups)).not.toContain(deactivated);
  }
  const all = await listGroups(ada, { include_deactivated_groups: true });
  expect(idsIn(all)).toEqual([...idsIn(all)].sort((a, b) => a - b));
  expect(all.find(({ id }) => id === deactivated).deactivated).toBe(true);
  expect(await ofRegister(ada, { include_deactivated_groups: true })).toEqual(all);
});

test('Everyone may list groups except guests, who get them from register', async () => {
  expectMembersOnly(await guest.get('/user_groups'));
  expect(await ofRegister(guest)).toEqual(await listGroups(ada));
});
