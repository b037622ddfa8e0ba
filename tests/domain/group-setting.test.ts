import { describe, expect, test } from 'vitest';
import {
  isInGroup,
  isSystemGroup,
  normalizeGroupSetting,
  systemGroups,
} from '#shared/domain/user-groups/group-setting.ts';
import { roles } from '#shared/domain/users/user.ts';
import { userOf } from '#tests/harness/samples.ts';

describe('The members of a group', () => {
  test.each<[keyof typeof systemGroups, (keyof typeof roles)[]]>([
    ['nobody', []],
    ['owners', ['owner']],
    ['administrators', ['owner', 'administrator']],
    ['moderators', ['owner', 'administrator', 'moderator']],
    ['fullMembers', ['owner', 'administrator', 'moderator']],
    ['members', ['owner', 'administrator', 'moderator', 'member']],
    ['everyone', ['owner', 'administrator', 'moderator', 'member', 'guest']],
    ['internet', ['owner', 'administrator', 'moderator', 'member', 'guest']],
  ])('Have for %s exactly these roles: %j', (group, expected) => {
    const names = Object.keys(roles) as (keyof typeof roles)[];
    expect(names.filter((name) => isInGroup(userOf(10, roles[name]), systemGroups[group]))).toEqual(expected);
  });

  test('Come from the loaded state for full members and user-made groups', () => {
    const learned = new Map([
      [systemGroups.fullMembers as number, true],
      [9, true],
      [10, false],
    ]);
    const member = { ...userOf(10), memberships: learned };
    expect([systemGroups.fullMembers, 9, 10, 11].filter((id) => isInGroup(member, id))).toEqual([5, 9]);
  });

  test('Include no user if the group does not exist', () => {
    for (const id of [0, -1, 9, 1000]) {
      expect(isSystemGroup(id)).toBe(false);
      expect(isInGroup(userOf(10, roles.owner), id)).toBe(false);
    }
  });

  test('Include direct members and members of its groups if it is anonymous', () => {
    const setting = { direct_members: [10, 11], direct_subgroups: [systemGroups.moderators] };
    expect(isInGroup(userOf(10, roles.guest), setting)).toBe(true);
    expect(isInGroup(userOf(12, roles.moderator), setting)).toBe(true);
    expect(isInGroup(userOf(12, roles.member), setting)).toBe(false);
  });
});

describe('The stored form of a setting', () => {
  test.each([
    [3, 3],
    [{ direct_members: [], direct_subgroups: [] }, systemGroups.nobody],
    [{ direct_members: [], direct_subgroups: [4] }, 4],
    [{ direct_members: [], direct_subgroups: [4, 4] }, 4],
    [
      { direct_members: [7], direct_subgroups: [] },
      { direct_members: [7], direct_subgroups: [] },
    ],
    [
      { direct_members: [9, 7, 9], direct_subgroups: [5, 4] },
      { direct_members: [7, 9], direct_subgroups: [4, 5] },
    ],
  ])('For %j is %j', (given, stored) => {
    expect(normalizeGroupSetting(given)).toEqual(stored);
  });
});
