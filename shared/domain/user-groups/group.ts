import { type GroupSetting, systemGroups } from './group-setting.ts';

/** The group settings of a user group, by protocol name. */
export const groupGroupSettings = [
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
] as const;
export type GroupGroupSetting = (typeof groupGroupSettings)[number];

/** The group settings of a new group unless its creator requests others. */
export function defaultGroupGroups(creatorId: number): Record<GroupGroupSetting, GroupSetting> {
  const creator = { direct_members: [creatorId], direct_subgroups: [] };
  return {
    can_add_members_group: creator,
    can_join_group: systemGroups.nobody,
    can_leave_group: systemGroups.everyone,
    can_manage_group: creator,
    can_mention_group: systemGroups.everyone,
    can_remove_members_group: systemGroups.nobody,
  };
}

/** A custom group; its members are stored in separate items. */
export interface Group {
  groupId: number;
  name: string;
  description: string;
  creatorId: number | null;
  createdAtSeconds: number;
  isDeactivated: boolean;
  /** Groups whose members are members of this one too. */
  subgroupIds: number[];
  groups: Record<GroupGroupSetting, GroupSetting>;
  /** Counts changes of the group and of its members; a change is conditional on the revision that it read. */
  revision: number;
}

/** The user group record of the protocol. */
export const toGroupRecord = (group: Group, memberIds: number[]) => ({
  id: group.groupId,
  name: group.name,
  description: group.description,
  members: memberIds,
  direct_subgroup_ids: [...group.subgroupIds].sort((a, b) => a - b),
  is_system_group: false,
  creator_id: group.creatorId,
  date_created: group.createdAtSeconds,
  deactivated: group.isDeactivated,
  ...group.groups,
});
export type GroupRecord = Omit<ReturnType<typeof toGroupRecord>, 'date_created'> & {
  date_created: number | null;
};
