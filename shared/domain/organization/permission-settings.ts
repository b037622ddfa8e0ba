import { defaultChannelGroups } from '#shared/domain/channels/channel.ts';
import { defaultGroupGroups } from '#shared/domain/user-groups/group.ts';
import type { GroupSetting } from '#shared/domain/user-groups/group-setting.ts';
import {
  type PermissionRule,
  permissionRules,
  systemGroupNames,
} from '#shared/domain/user-groups/permission-rules.ts';
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

/** The name of the creator's anonymous group in the default value. */
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

const NO_CREATOR = 0;

/** Describes each group setting for register. */
export function describePermissionSettings() {
  const { organization, channel, group } = permissionRules;
  const ordinary = { creator: 'channel_creator', defaultForSystemGroups: null };
  return {
    realm: describeAll(organization, defaultOrganizationGroups, ordinary),
    stream: describeAll(channel, defaultChannelGroups(NO_CREATOR), ordinary),
    group: describeAll(group, defaultGroupGroups(NO_CREATOR), {
      creator: 'group_creator',
      defaultForSystemGroups: 'role:nobody',
    }),
  };
}
