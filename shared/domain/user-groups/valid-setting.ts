import { BadRequest, ExpectationMismatch, SystemGroupRequired } from '#shared/domain/errors.ts';
import {
  type GroupSetting,
  groupIdsOf,
  isSystemGroup,
  type KnownNames,
  normalizeGroupSetting,
  systemGroups,
} from './group-setting.ts';
import {
  type PermissionRule,
  permissionRules,
  type SettingOwner,
  systemGroupNames,
} from './permission-rules.ts';

/**
 * Validates new values of group settings; `known` is the result of `listNamed` for the users and groups that
 * they name.
 * @throws SystemGroupRequired, or BadRequest for groups that the setting may not name, and for unknown or
 * deactivated users and groups
 */
export function requireValidSettings(
  owner: SettingOwner,
  settings: Partial<Record<string, GroupSetting>>,
  known: KnownNames,
): void {
  const rules: Partial<Record<string, PermissionRule>> = permissionRules[owner];
  for (const [name, value] of Object.entries(settings)) {
    const rule = rules[name];
    if (rule && value !== undefined) requireValidSetting(name, rule, value, known);
  }
}

function requireValidSetting(
  name: string,
  rule: PermissionRule,
  value: GroupSetting,
  known: KnownNames,
): void {
  requireKnownGroups(groupIdsOf(value), known);
  const stored = normalizeGroupSetting(value);
  if (rule.needsSystemGroup && !(typeof stored === 'number' && isSystemGroup(stored)))
    throw new SystemGroupRequired(name);
  // Beside other groups the system group `role:nobody` adds no member.
  const named =
    typeof stored === 'number'
      ? [stored]
      : stored.direct_subgroups.filter((id) => id !== systemGroups.nobody);
  const forbidden = named.find((id) => !allows(rule, id));
  if (forbidden !== undefined)
    throw new BadRequest(`'${name}' setting cannot be set to '${systemGroupNames[forbidden]}' group.`);
  const userIds = typeof value === 'number' ? [] : value.direct_members;
  const stranger = userIds.find((id) => !known.userIds.has(id));
  if (stranger !== undefined) throw new BadRequest(`Invalid user ID: ${stranger}`);
}

/** @throws BadRequest for an unknown or deactivated group */
export function requireKnownGroups(groupIds: number[], known: KnownNames): void {
  for (const id of groupIds) {
    if (isSystemGroup(id) || known.groupIds.has(id)) continue;
    if (known.deactivatedGroupIds.has(id)) throw new BadRequest('User group is deactivated.');
    throw new BadRequest(`Invalid user group ID: ${id}`);
  }
}

function allows(rule: PermissionRule, groupId: number): boolean {
  if (groupId === systemGroups.internet) return false;
  if (groupId === systemGroups.nobody && !rule.allowsNobody) return false;
  if (groupId === systemGroups.everyone && !rule.allowsEveryone) return false;
  return rule.allowedSystemGroups?.includes(groupId) ?? true;
}

/** A new value of a setting, and the value that the client expects to replace, if it states one. */
export interface SettingEdit {
  new: GroupSetting;
  old?: GroupSetting | undefined;
}

/** The new values of edits. */
export const newValues = (edits: Partial<Record<string, SettingEdit>>): Record<string, GroupSetting> =>
  Object.fromEntries(Object.entries(edits).flatMap(([name, edit]) => (edit ? [[name, edit.new]] : [])));

/** The value to store. @throws ExpectationMismatch when the setting does not have the expected value */
export function applySettingEdit(current: GroupSetting, edit: SettingEdit): GroupSetting {
  if (edit.old !== undefined && !isSameSetting(current, edit.old)) throw new ExpectationMismatch();
  return normalizeGroupSetting(edit.new);
}

export const isSameSetting = (groupSetting: GroupSetting, other: GroupSetting): boolean =>
  JSON.stringify(normalizeGroupSetting(groupSetting)) === JSON.stringify(normalizeGroupSetting(other));
