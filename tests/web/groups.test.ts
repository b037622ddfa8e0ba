import { expect, test } from 'vitest';
import { systemGroupNames } from '#shared/domain/user-groups/permission-rules.ts';
import { groupName, inheritedMembers, isInGroup } from '#web/state/groups.ts';
import type { Group, GroupValue } from '#web/state/wire-people.ts';

const group = (id: number, members: number[], subgroups: number[] = []): Group =>
  ({ id, name: `group ${id}`, members, direct_subgroup_ids: subgroups }) as Group;

test('Members of subgroups belong to a group, each listed once with their subgroup', () => {
  const inner = group(3, [30, 31]);
  const middle = group(2, [20, 30], [3]);
  const outer = group(1, [10, 20], [2]);
  const found = [...inheritedMembers([outer, middle, inner], outer)];
  expect(found).toEqual([30, 31].map((id) => [id, middle]));
});

test('A member of several subgroups is listed with the first of them', () => {
  const [first, second] = [group(2, [20]), group(3, [20])];
  const outer = group(1, [], [3, 2]);
  expect([...inheritedMembers([outer, first, second], outer)]).toEqual([[20, first]]);
});

const named = (value: Partial<Group>): Group => ({ ...group(1, []), ...value });

test('A system group has a description, and a user-made one its name', () => {
  const system = (name: string) => groupName(named({ name, is_system_group: true }));
  expect(Object.values(systemGroupNames).map(system)).toEqual([
    ...['No one', 'Owners', 'Administrators', 'Moderators', 'Full members', 'Members'],
    ...['Everyone, including guests', 'Everyone on the internet'],
  ]);
  expect(system('role:of another year')).toBe('role:of another year');
  expect(groupName(named({ name: 'role:nobody', is_system_group: false }))).toBe('role:nobody');
});

test('A setting contains people, or groups with their members and subgroups', () => {
  const groups = [group(1, [10], [2]), group(2, [20])];
  const isIn = (userId: number, value: GroupValue) => isInGroup(groups, userId, value);
  expect([10, 20, 30].map((id) => isIn(id, 1))).toEqual([true, true, false]);
  expect([10, 20].map((id) => isIn(id, 2))).toEqual([false, true]);
  expect(isIn(10, 99)).toBe(false);
  const value = { direct_members: [30], direct_subgroups: [2] };
  expect([10, 20, 30].map((id) => isIn(id, value))).toEqual([false, true, true]);
});

test('Groups that contain each other list each person once, and no direct members', () => {
  const outer = group(1, [10], [2]);
  const inner = group(2, [10, 20], [1, 3]);
  const last = group(3, [20, 30], [2]);
  const found = [...inheritedMembers([outer, inner, last], outer)];
  expect(found).toEqual([20, 30].map((id) => [id, inner]));
});
