import { defaultChannelGroups } from '#shared/domain/channels/channel.ts';
import { type GroupSetting, systemGroups } from '#shared/domain/groups/group-setting.ts';
import { defaultOrganizationGroups } from './settings.ts';

const groupNames = new Map<GroupSetting, string>([
  [systemGroups.nobody, 'role:nobody'],
  [systemGroups.owners, 'role:owners'],
  [systemGroups.administrators, 'role:administrators'],
  [systemGroups.moderators, 'role:moderators'],
  [systemGroups.fullMembers, 'role:fullmembers'],
  [systemGroups.members, 'role:members'],
  [systemGroups.everyone, 'role:everyone'],
  [systemGroups.internet, 'role:internet'],
]);

/** Settings of the organization that only a system group can fill. */
const NEEDS_SYSTEM_GROUP = new Set(['can_access_all_users_group', 'can_create_web_public_channel_group']);

const ofUserGroups: Record<string, string> = {
  can_add_members_group: 'group_creator',
  can_join_group: 'role:nobody',
  can_leave_group: 'role:everyone',
  can_manage_group: 'group_creator',
  can_mention_group: 'role:everyone',
  can_remove_members_group: 'role:nobody',
};

const describe = (name: string, defaultGroupName: string) => ({
  require_system_group: NEEDS_SYSTEM_GROUP.has(name),
  allow_internet_group: false,
  allow_nobody_group: name !== 'can_access_all_users_group',
  allow_everyone_group: true,
  default_group_name: defaultGroupName,
  default_for_system_groups: ofUserGroups[name] === undefined ? null : 'role:nobody',
  allowed_system_groups: name === 'can_access_all_users_group' ? ['role:everyone', 'role:members'] : [],
});

/** What register tells clients about each setting that names a group. */
export function describePermissionSettings() {
  const describeAll = (settings: Record<string, GroupSetting>) =>
    Object.entries(settings).map(([name, value]) => [
      name,
      describe(name, groupNames.get(value) ?? 'channel_creator'),
    ]);
  return {
    realm: Object.fromEntries(describeAll(defaultOrganizationGroups)),
    stream: Object.fromEntries(describeAll(defaultChannelGroups(0))),
    group: Object.fromEntries(
      Object.entries(ofUserGroups).map(([name, defaultName]) => [name, describe(name, defaultName)]),
    ),
  };
}
