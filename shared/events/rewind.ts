import type { Group } from '#shared/domain/user-groups/group.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { EventPayload, LogEvent } from './catalogue.ts';

/** Whether roles or groups changed, which may affect the visible things of a queue's owner. */
export const changesRights = (events: LogEvent[]): boolean =>
  events.some(
    ({ payload }) =>
      payload.type === 'user_group' ||
      (payload.type === 'realm_user' && payload.op === 'update' && 'role' in payload.person),
  );

/** Groups with their subgroups, and the groups of which a user is a direct member. */
export interface Belonging {
  groups: Map<number, Group>;
  direct: Set<number>;
}

/** A user's memberships before these events, given oldest first: their changes are undone, newest first. */
export function belongingBefore(user: User, now: Belonging, events: LogEvent[]): Belonging {
  const groups = new Map([...now.groups].map(([id, group]) => [id, { ...group }]));
  const direct = new Set(now.direct);
  for (const { payload } of events.toReversed())
    if (payload.type === 'user_group') undo(payload, user.userId, { groups, direct });
  return { groups, direct };
}

function undo(
  payload: Extract<EventPayload, { type: 'user_group' }>,
  userId: number,
  { groups, direct }: Belonging,
): void {
  if (payload.op === 'add') return;
  const { group_id: groupId } = payload;
  const group = groups.get(groupId);
  switch (payload.op) {
    case 'add_members':
      if (payload.user_ids.includes(userId)) direct.delete(groupId);
      return;
    case 'remove_members':
      if (payload.user_ids.includes(userId)) direct.add(groupId);
      return;
    case 'add_subgroups': {
      const { direct_subgroup_ids: added } = payload;
      if (group) group.subgroupIds = group.subgroupIds.filter((id) => !added.includes(id));
      return;
    }
    case 'remove_subgroups':
      if (group) group.subgroupIds = [...group.subgroupIds, ...payload.direct_subgroup_ids];
      return;
    case 'update': {
      const { deactivated } = payload.data;
      if (group && deactivated !== undefined) group.isDeactivated = !deactivated;
    }
  }
}
