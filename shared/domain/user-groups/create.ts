import type { Change } from '#shared/domain/change.ts';
import { peopleTurnWrite, type VisibilityRevision } from '#shared/domain/channels/visibility-revision.ts';
import { type Room, takeRoomWrite } from '#shared/domain/room.ts';
import { groupKeys } from '#shared/table/keys/groups.ts';
import type { Write } from '#shared/table/table.ts';
import { groupAdded } from './events.ts';
import { defaultGroupGroups, type Group, type GroupGroupSetting, toGroupRecord } from './group.ts';
import { type GroupSetting, groupIdsOf, isSystemGroup, normalizeGroupSetting } from './group-setting.ts';
import { graphChangeWrite, groupMemberWrites, nameWrite } from './writes.ts';

export type GroupSettings = Partial<Record<GroupGroupSetting, GroupSetting>>;

export interface NewGroup {
  groupId: number;
  name: string;
  description: string;
  creatorId: number;
  nowSeconds: number;
  subgroupIds: number[];
  settings: GroupSettings;
}

/** The new group with the requested settings. */
export function createGroup({ settings, nowSeconds, ...input }: NewGroup): Group {
  const asked = Object.entries(settings).map(([name, value]) => [name, normalizeGroupSetting(value)]);
  return {
    ...input,
    createdAtSeconds: nowSeconds,
    isDeactivated: false,
    groups: { ...defaultGroupGroups(input.creatorId), ...Object.fromEntries(asked) },
    revision: 0,
  };
}

/** Counts an active group. @throws BadRequest above the organization's limit */
export const groupRoomWrite = (room: Room, limit: number): Write =>
  takeRoomWrite(room, limit, `Too many user groups: the organization may have ${limit} active ones.`);

/**
 * Creates a group and notifies all users. Fails when the name was taken in the meantime, or the named users and
 * groups may have changed.
 */
export function creationChange(
  group: Group,
  memberIds: number[],
  { graphRevision, visibilityRevision }: { graphRevision: number; visibilityRevision: VisibilityRevision },
  room: Write,
): Change {
  const named = [...group.subgroupIds, ...Object.values(group.groups).flatMap(groupIdsOf)];
  return {
    writes: [
      { kind: 'put', item: { ...groupKeys.group(group.groupId), ...group }, condition: { exists: false } },
      nameWrite(group),
      room,
      ...groupMemberWrites(group.groupId, { add: memberIds, delete: [] }),
      ...(named.every(isSystemGroup) ? [] : [graphChangeWrite(graphRevision)]),
      ...(memberIds.length > 0 ? [peopleTurnWrite(visibilityRevision)] : []),
    ],
    events: [groupAdded(toGroupRecord(group, memberIds))],
  };
}
