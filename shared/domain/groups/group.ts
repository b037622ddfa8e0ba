import type { GroupSetting } from './group-setting.ts';

/** The settings of a user group that name groups, under their names in the protocol. */
export const groupGroupSettings = [
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
] as const;
export type GroupGroupSetting = (typeof groupGroupSettings)[number];

/** A group of users that somebody made; its members stand in items of their own. */
export interface Group {
  groupId: number;
  name: string;
  description: string;
  creatorId: number | null;
  createdAtSeconds: number;
  isDeactivated: boolean;
  /** Groups whose members belong to it as well. */
  subgroupIds: number[];
  groups: Record<GroupGroupSetting, GroupSetting>;
}
