import type { LogEvent, UntypedPayload } from '#shared/events/catalogue.ts';
import type { GroupChange } from '#shared/events/event-fields.ts';
import type { Group, GroupRecord } from './group.ts';

/** Data stored beside an event for clients that do not support deactivated groups; it is never sent. */
export interface Beside {
  /** The group is deactivated: these clients get no event. */
  isDeactivated?: boolean;
  /** The group is reactivated: its record for these clients. */
  group?: GroupRecord;
}

const toAll = (payload: UntypedPayload<'user_group'>, beside: Beside = {}): LogEvent => ({
  audience: { kind: 'everyone' },
  payload: { type: 'user_group', ...payload, ...(Object.keys(beside).length > 0 && { beside }) },
});

const besideOf = ({ isDeactivated }: Pick<Group, 'isDeactivated'>): Beside =>
  isDeactivated ? { isDeactivated } : {};

export const groupAdded = (group: GroupRecord): LogEvent => toAll({ op: 'add', group });

export const groupUpdated = (groupId: number, data: GroupChange, beside?: Beside): LogEvent =>
  toAll({ op: 'update', group_id: groupId, data }, beside);

/** Users join or leave a group; no event when there are none. */
export const membersChanged = (
  group: Pick<Group, 'groupId' | 'isDeactivated'>,
  op: 'add_members' | 'remove_members',
  userIds: number[],
): LogEvent[] =>
  userIds.length === 0 ? [] : [toAll({ op, group_id: group.groupId, user_ids: userIds }, besideOf(group))];

/** Subgroups are added or removed; no event when there are none. */
export const subgroupsChanged = (
  group: Pick<Group, 'groupId' | 'isDeactivated'>,
  op: 'add_subgroups' | 'remove_subgroups',
  groupIds: number[],
): LogEvent[] =>
  groupIds.length === 0
    ? []
    : [toAll({ op, group_id: group.groupId, direct_subgroup_ids: groupIds }, besideOf(group))];
