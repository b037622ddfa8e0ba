import type { Group } from '#shared/domain/user-groups/group.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { EventPayload, LogEvent } from './catalogue.ts';

/** Whether roles or groups changed, which may affect the visible things of a queue's owner. */
export const changesRights = (events: LogEvent[]): boolean =>
  events.some(
    ({ payload }) =>
      payload.type === 'user_group' ||
      (payload.type === 'realm_user' && payload.op === 'update' && 'role' in (payload.person as object)),
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

function undo(payload: EventPayload, userId: number, { groups, direct }: Belonging): void {
  const groupId = Number(payload.group_id);
  const group = groups.get(groupId);
  const isConcerned = ((payload.user_ids ?? []) as number[]).includes(userId);
  const subgroupIds = (payload.direct_subgroup_ids ?? []) as number[];
  if (payload.op === 'add_members' && isConcerned) direct.delete(groupId);
  if (payload.op === 'remove_members' && isConcerned) direct.add(groupId);
  if (!group) return;
  if (payload.op === 'add_subgroups')
    group.subgroupIds = group.subgroupIds.filter((id) => !subgroupIds.includes(id));
  if (payload.op === 'remove_subgroups') group.subgroupIds = [...group.subgroupIds, ...subgroupIds];
  const { deactivated } = (payload.data ?? {}) as { deactivated?: boolean };
  if (deactivated !== undefined) group.isDeactivated = !deactivated;
}
