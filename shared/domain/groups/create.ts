import type { Change } from '#shared/domain/change.ts';
import { peopleTurnWrite, type WhoKnows } from '#shared/domain/channels/who-knows.ts';
import { keys } from '#shared/table/keys.ts';
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

/** The group that comes into being, with what its creator asked for. */
export function createGroup({ settings, nowSeconds, ...given }: NewGroup): Group {
  const asked = Object.entries(settings).map(([name, value]) => [name, normalizeGroupSetting(value)]);
  return {
    ...given,
    createdAtSeconds: nowSeconds,
    isDeactivated: false,
    groups: { ...defaultGroupGroups(given.creatorId), ...Object.fromEntries(asked) },
    revision: 0,
  };
}

/** Everybody hears of a new group. It fails when the name was taken, or whom or what it names may have changed. */
export function creationChange(
  group: Group,
  memberIds: number[],
  { graphRevision, whoKnows }: { graphRevision: number; whoKnows: WhoKnows },
): Change {
  const named = [...group.subgroupIds, ...Object.values(group.groups).flatMap(groupIdsOf)];
  return {
    writes: [
      { kind: 'put', item: { ...keys.group(group.groupId), ...group }, condition: { exists: false } },
      nameWrite(group),
      ...groupMemberWrites(group.groupId, { add: memberIds, delete: [] }),
      ...(named.every(isSystemGroup) ? [] : [graphChangeWrite(graphRevision)]),
      ...(memberIds.length > 0 ? [peopleTurnWrite(whoKnows)] : []),
    ],
    events: [groupAdded(toGroupRecord(group, memberIds))],
  };
}
