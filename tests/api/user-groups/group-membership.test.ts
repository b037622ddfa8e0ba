// The operations getUserGroupMembership, listUserGroupMembers and listUserGroupSubgroups.
import { describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createGroup, deactivate, succeeds } from './group-calls.ts';

const service = await startTestService();
const [ada, bo, cy, gone] = await createUsers(service, 'Ada', 'Bo', 'Cy', 'Gone');
const moderator = await createUser(service, 'Moderator', 300);
const guest = await createUser(service, 'Guest', 600);
const inner = await createGroup(ada, [cy, bo], { subgroups: [4] });
const groupId = await createGroup(ada, [guest, bo, gone], { subgroups: [inner] });
const deactivated = await createGroup(ada, [bo]);
succeeds(await deactivate(ada, deactivated));
await service.deactivate(gone);

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
    expect(await members(groupId)).toEqual(idsOf(bo, cy, guest, moderator, service.owner));
    expect(await members(groupId, direct)).toEqual(idsOf(bo, guest));
  });

  test('Follow from roles in system groups', async () => {
    expect(await members(1)).toEqual([]);
    expect(await members(4)).toEqual(idsOf(moderator, service.owner));
    expect(await members(4, direct)).toEqual(idsOf(moderator));
    expect(await members(6)).toEqual(idsOf(ada, bo, cy, moderator, service.owner));
    expect(await members(7)).toEqual(idsOf(ada, bo, cy, moderator, service.owner, guest));
    expect(await members(8, direct)).toEqual([]);
  });

  test('Stay known in a deactivated group', async () => {
    expect(await members(deactivated)).toEqual(idsOf(bo));
  });
});

describe('A user belongs to a group', () => {
  const who = [ada, bo, cy, guest, gone, service.owner];
  const among = (id: number, params = {}) => Promise.all(who.map((client) => isMember(id, client, params)));

  test('Directly or through a subgroup, unless only direct members count, while their account is active', async () => {
    expect(await among(groupId)).toEqual([false, true, true, true, false, true]);
    expect(await among(groupId, direct)).toEqual([false, true, false, true, false, false]);
  });

  test('By their role if it is a system group', async () => {
    expect(await among(4)).toEqual([false, false, false, false, false, true]);
    expect(await among(4, direct)).toEqual(who.map(() => false));
    expect(await among(6)).toEqual([true, true, true, false, false, true]);
    expect(await among(1)).toEqual(who.map(() => false));
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
