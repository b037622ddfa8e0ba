import { describe, expect, test } from 'vitest';
import { describePermissionSettings } from '#shared/domain/organization/permission-settings.ts';
import { type GroupSetting, systemGroups } from '#shared/domain/user-groups/group-setting.ts';
import { permissionRules, type SettingOwner } from '#shared/domain/user-groups/permission-rules.ts';
import { applySettingEdit, requireValidSettings } from '#shared/domain/user-groups/valid-setting.ts';

const known = {
  userIds: new Set([10, 11]),
  groupIds: new Set([20, 21]),
  deactivatedGroupIds: new Set([22]),
};
const check = (owner: SettingOwner, name: string, value: GroupSetting) => () =>
  requireValidSettings(owner, { [name]: value }, known);
const anonymous = (members: number[], subgroups: number[]): GroupSetting => ({
  direct_members: members,
  direct_subgroups: subgroups,
});

describe('A setting may name', () => {
  test.each<[SettingOwner, string, GroupSetting]>([
    ['group', 'can_join_group', 20],
    ['group', 'can_leave_group', systemGroups.everyone],
    ['group', 'can_manage_group', anonymous([10, 11], [20, systemGroups.moderators])],
    ['channel', 'can_send_message_group', systemGroups.everyone],
    ['channel', 'can_subscribe_group', anonymous([], [])],
    ['organization', 'can_access_all_users_group', systemGroups.everyone],
    ['organization', 'can_access_all_users_group', systemGroups.members],
    ['organization', 'can_create_web_public_channel_group', anonymous([], [systemGroups.owners])],
    ['organization', 'can_manage_all_groups', anonymous([10], [systemGroups.nobody])],
  ])('The value of %s %s: %j', (owner, name, value) => {
    expect(check(owner, name, value)).not.toThrow();
  });
});

describe('A setting may not name', () => {
  test.each<[SettingOwner, string, GroupSetting, string]>([
    ['group', 'can_mention_group', 8, "'can_mention_group' setting cannot be set to 'role:internet' group."],
    ['group', 'can_join_group', 7, "'can_join_group' setting cannot be set to 'role:everyone' group."],
    [
      'group',
      'can_join_group',
      anonymous([], [7]),
      "'can_join_group' setting cannot be set to 'role:everyone' group.",
    ],
    [
      'organization',
      'can_manage_all_groups',
      anonymous([10], [systemGroups.nobody, 7]),
      "'can_manage_all_groups' setting cannot be set to 'role:everyone' group.",
    ],
    [
      'organization',
      'can_manage_all_groups',
      anonymous([], []),
      "'can_manage_all_groups' setting cannot be set to 'role:nobody' group.",
    ],
    [
      'organization',
      'can_create_web_public_channel_group',
      6,
      "'can_create_web_public_channel_group' setting cannot be set to 'role:members' group.",
    ],
    [
      'organization',
      'can_access_all_users_group',
      2,
      "'can_access_all_users_group' setting cannot be set to 'role:owners' group.",
    ],
    [
      'organization',
      'can_access_all_users_group',
      20,
      "'can_access_all_users_group' must be a system user group.",
    ],
    [
      'organization',
      'can_access_all_users_group',
      anonymous([10], []),
      "'can_access_all_users_group' must be a system user group.",
    ],
    ['channel', 'can_send_message_group', 99, 'Invalid user group ID: 99'],
    ['channel', 'can_send_message_group', 22, 'User group is deactivated.'],
    ['channel', 'can_send_message_group', anonymous([], [20, 22]), 'User group is deactivated.'],
    ['channel', 'can_send_message_group', anonymous([12], []), 'Invalid user ID: 12'],
  ])('The value of %s %s: %j', (owner, name, value, message) => {
    expect(check(owner, name, value)).toThrow(message);
  });
});

test('The documented restrictions of a setting equal the checked ones', () => {
  const { realm, stream, group } = describePermissionSettings();
  const values = { organization: realm, channel: stream, group };
  for (const [owner, settings] of Object.entries(values) as [SettingOwner, typeof realm][])
    for (const [name, rule] of Object.entries(settings)) {
      const isAllowed = (value: GroupSetting): boolean => {
        try {
          check(owner, name, value)();
          return true;
        } catch {
          return false;
        }
      };
      expect([name, isAllowed(systemGroups.nobody)]).toEqual([name, rule.allow_nobody_group]);
      expect([name, isAllowed(systemGroups.everyone)]).toEqual([name, rule.allow_everyone_group]);
      expect([name, isAllowed(systemGroups.internet)]).toEqual([name, rule.allow_internet_group]);
      expect([name, isAllowed(20)]).toEqual([name, !rule.require_system_group]);
    }
});

describe('Among the settings of the organization, channels and groups', () => {
  const withRule = (flag: 'allowsNobody' | 'allowsEveryone', value: boolean) =>
    Object.values(permissionRules).map((settings) =>
      Object.entries(settings)
        .filter(([, rule]) => rule[flag] === value)
        .map(([name]) => name),
    );

  test('Three of the organization, and no other, cannot be set to nobody', () => {
    expect(withRule('allowsNobody', false)).toEqual([
      ['can_access_all_users_group', 'can_manage_all_groups', 'can_manage_billing_group'],
      [],
      [],
    ]);
  });

  test('These, and no other, can be set to everyone, guests included', () => {
    expect(withRule('allowsEveryone', true)).toEqual([
      [
        'can_access_all_users_group',
        'can_delete_own_message_group',
        'can_mention_many_users_group',
        'can_move_messages_between_topics_group',
        'can_resolve_topics_group',
        'can_set_topics_policy_group',
        'can_summarize_topics_group',
        'direct_message_initiator_group',
        'direct_message_permission_group',
        'workplace_users_group',
      ],
      [
        'can_create_topic_group',
        'can_delete_any_message_group',
        'can_delete_own_message_group',
        'can_move_messages_out_of_channel_group',
        'can_move_messages_within_channel_group',
        'can_remove_subscribers_group',
        'can_resolve_topics_group',
        'can_send_message_group',
      ],
      ['can_leave_group', 'can_mention_group'],
    ]);
  });
});

test('An edit names the new value, and may name the one that it replaces', () => {
  expect(applySettingEdit(6, { new: anonymous([], [3]) })).toBe(3);
  expect(applySettingEdit(6, { new: 3, old: anonymous([], [6]) })).toBe(3);
  expect(() => applySettingEdit(6, { new: 3, old: 7 })).toThrow(
    "'old' value does not match the expected value.",
  );
});
