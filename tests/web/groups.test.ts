import { expect, test } from 'vitest';
import { inheritedMembers } from '#web/state/groups.ts';
import type { Group } from '#web/state/wire-people.ts';

const group = (id: number, members: number[], subgroups: number[] = []): Group =>
  ({ id, name: `group ${id}`, members, direct_subgroup_ids: subgroups }) as Group;

test('people of subgroups belong to a group, each listed once with the subgroup that brings them', () => {
  const inner = group(3, [30, 31]);
  const middle = group(2, [20, 30], [3]);
  const outer = group(1, [10, 20], [2]);
  const found = [...inheritedMembers([outer, middle, inner], outer)];
  expect(found).toEqual([
    [30, middle],
    [31, middle],
  ]);
});
