import * as z from 'zod/mini';
import { json, maxLength, optional, text, withDefault } from '#shared/api/parameters.ts';
import { type GroupGroupSetting, groupGroupSettings } from '#shared/domain/user-groups/group.ts';
import { groupSetting, groupSettingEdit } from './group-setting.ts';

/** Longer texts do not fit into one item. */
const MAX_DESCRIPTION = 1024;

export const userGroupId = json(z.int(), 'The group');
export const groupName = text(z.string(), 'Its name, which no other group has in any letter case');
export const groupDescription = text(z.string().check(maxLength(MAX_DESCRIPTION)), 'A description');
export const ids = (description: string) => withDefault(json(z.array(z.int()), description), []);

/** Removes duplicates and keeps the order. */
export const distinct = (input: number[]): number[] => [...new Set(input)];

const meanings: Record<GroupGroupSetting, string> = {
  can_add_members_group: 'Who may add members and subgroups',
  can_join_group: 'Who may add themselves',
  can_leave_group: 'Who may leave',
  can_manage_group: 'Who may manage the group',
  can_mention_group: 'Who may mention the group',
  can_remove_members_group: 'Who may remove members and subgroups',
};

const eachSetting = <One>(make: (description: string) => One): Record<GroupGroupSetting, One> =>
  Object.fromEntries(groupGroupSettings.map((name) => [name, make(meanings[name])])) as Record<
    GroupGroupSetting,
    One
  >;

/** The settings of a new group. */
export const newGroupSettings = eachSetting((meaning) => optional(json(groupSetting, meaning)));
/** Changes of a group's settings, each optionally with the value that the client expects to replace. */
export const groupSettingEdits = eachSetting((meaning) => optional(json(groupSettingEdit, meaning)));

/** The settings among the given parameters. */
export const givenSettings = <One>(
  params: Partial<Record<GroupGroupSetting, One | undefined>>,
): Partial<Record<GroupGroupSetting, One>> =>
  Object.fromEntries(
    groupGroupSettings.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])),
  );

const setting = z.union([
  z.int(),
  z.object({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
]);

/** The user group record of the protocol. */
export const userGroupRecord = z.strictObject({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  members: z.array(z.int()),
  direct_subgroup_ids: z.array(z.int()),
  is_system_group: z.boolean(),
  creator_id: z.nullable(z.int()),
  date_created: z.nullable(z.int()),
  deactivated: z.boolean(),
  can_add_members_group: setting,
  can_join_group: setting,
  can_leave_group: setting,
  can_manage_group: setting,
  can_mention_group: setting,
  can_remove_members_group: setting,
});
