import { defaultChannelGroups } from '#shared/domain/channels/channel.ts';
import { defaultGroupGroups } from '#shared/domain/groups/group.ts';
import type { GroupSetting } from '#shared/domain/groups/group-setting.ts';
import {
  type PermissionRule,
  permissionRules,
  systemGroupNames,
} from '#shared/domain/groups/permission-rules.ts';
import { defaultOrganizationGroups } from './settings.ts';

const describe = (rule: PermissionRule, defaultGroupName: string, defaultForSystemGroups: string | null) => ({
  require_system_group: rule.needsSystemGroup ?? false,
  allow_internet_group: false,
  allow_nobody_group: rule.allowsNobody,
  allow_everyone_group: rule.allowsEveryone,
  default_group_name: defaultGroupName,
  default_for_system_groups: defaultForSystemGroups,
  allowed_system_groups: (rule.allowedSystemGroups ?? []).map((id) => systemGroupNames[id]),
});

/** What an anonymous group of the one who creates a channel or group is called as a default. */
interface Naming {
  creator: string;
  defaultForSystemGroups: string | null;
}

function describeAll<Name extends string>(
  rules: Record<Name, PermissionRule>,
  defaults: Record<Name, GroupSetting>,
  { creator, defaultForSystemGroups }: Naming,
) {
  const names = Object.keys(rules) as Name[];
  return Object.fromEntries(
    names.map((name) => {
      const fallback = defaults[name];
      const defaultName = typeof fallback === 'number' ? (systemGroupNames[fallback] ?? creator) : creator;
      return [name, describe(rules[name], defaultName, defaultForSystemGroups)];
    }),
  );
}

const NOBODY = 0;

/** What register tells clients about each setting that names a group. */
export function describePermissionSettings() {
  const { organization, channel, group } = permissionRules;
  const ordinary = { creator: 'channel_creator', defaultForSystemGroups: null };
  return {
    realm: describeAll(organization, defaultOrganizationGroups, ordinary),
    stream: describeAll(channel, defaultChannelGroups(NOBODY), ordinary),
    group: describeAll(group, defaultGroupGroups(NOBODY), {
      creator: 'group_creator',
      defaultForSystemGroups: 'role:nobody',
    }),
  };
}
