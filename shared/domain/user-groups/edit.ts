import type { Change } from '#shared/domain/change.ts';
import { peopleTurnWrite, type VisibilityRevision } from '#shared/domain/channels/visibility-revision.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { groupKeys } from '#shared/table/keys/groups.ts';
import type { Write } from '#shared/table/table.ts';
import { groupUpdated } from './events.ts';
import { type Group, type GroupGroupSetting, toGroupRecord } from './group.ts';
import { applySettingEdit, isSameSetting, type SettingEdit } from './valid-setting.ts';
import { graphChangeWrite, groupWrite, nameWrite } from './writes.ts';

/** The requested changes of a group. */
export interface GroupEdit {
  name?: string | undefined;
  description?: string | undefined;
  settings: Partial<Record<GroupGroupSetting, SettingEdit>>;
  /** Reactivates a deactivated group. */
  reactivates: boolean;
}

/**
 * The group after the edit.
 * @throws BadRequest for edits that deactivated groups do not allow, ExpectationMismatch for a setting that
 * does not have the expected value
 */
export function applyEdit(group: Group, { name, description, settings, reactivates }: GroupEdit): Group {
  const isEdited = description !== undefined || Object.keys(settings).length > 0;
  if (group.isDeactivated && !reactivates && isEdited)
    throw new BadRequest('You can only change name of deactivated user groups');
  const groups = { ...group.groups };
  for (const [setting, edit] of Object.entries(settings) as [GroupGroupSetting, SettingEdit][])
    groups[setting] = applySettingEdit(group.groups[setting], edit);
  return {
    ...group,
    name: name ?? group.name,
    description: description ?? group.description,
    groups,
    isDeactivated: group.isDeactivated && !reactivates,
  };
}

interface EditFacts {
  /** The members that clients see. */
  memberIds: number[];
  graphRevision: number;
  visibilityRevision: VisibilityRevision;
  /** The writes that count a reactivated group. */
  room: Write[];
}

/** The change for an edit; undefined when nothing changes. */
export function editChange(
  before: Group,
  after: Group,
  { memberIds, graphRevision, visibilityRevision, room }: EditFacts,
): Change | undefined {
  const settings = (Object.keys(after.groups) as GroupGroupSetting[]).filter(
    (name) => !isSameSetting(before.groups[name], after.groups[name]),
  );
  const returns = before.isDeactivated && !after.isDeactivated;
  const data = {
    ...(after.name !== before.name && { name: after.name }),
    ...(after.description !== before.description && { description: after.description }),
    ...Object.fromEntries(settings.map((name) => [name, after.groups[name]])),
    ...(returns && { deactivated: false }),
  };
  if (Object.keys(data).length === 0) return undefined;
  const { name, description, groups, isDeactivated } = after;
  const beside = returns
    ? { group: toGroupRecord(after, memberIds) }
    : before.isDeactivated
      ? { isDeactivated: true }
      : {};
  return {
    writes: [
      groupWrite(before, { name, description, groups, isDeactivated }),
      ...renameWrites(before, after),
      ...(settings.length > 0 || returns ? [graphChangeWrite(graphRevision)] : []),
      ...(returns ? [peopleTurnWrite(visibilityRevision), ...room] : []),
    ],
    events: [groupUpdated(after.groupId, data, beside)],
  };
}

function renameWrites(before: Group, after: Group): Write[] {
  const [from, to] = [before, after].map(({ name }) => toCanonical(name));
  if (from === undefined || from === to) return [];
  return [{ kind: 'delete', key: groupKeys.name(from) }, nameWrite(after)];
}
