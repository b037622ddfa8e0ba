import { type GroupSetting, systemGroups } from '#shared/domain/user-groups/group-setting.ts';

/** The closest values of the deprecated number for who may create channels. */
const creationPolicies = new Map<GroupSetting, number>([
  [systemGroups.nobody, 6],
  [systemGroups.owners, 7],
  [systemGroups.administrators, 2],
  [systemGroups.moderators, 4],
  [systemGroups.fullMembers, 3],
  [systemGroups.members, 1],
  [systemGroups.everyone, 5],
]);
export const legacyCreationPolicy = (group: GroupSetting): number => creationPolicies.get(group) ?? 1;

/** The closest values of the deprecated number for who may use wildcard mentions. */
const mentionPolicies = new Map<GroupSetting, number>([
  [systemGroups.nobody, 6],
  [systemGroups.owners, 5],
  [systemGroups.administrators, 5],
  [systemGroups.moderators, 7],
  [systemGroups.fullMembers, 3],
  [systemGroups.members, 2],
  [systemGroups.everyone, 1],
]);
export const legacyMentionPolicy = (group: GroupSetting): number => mentionPolicies.get(group) ?? 1;
