import { belongsTo } from '#shared/domain/groups/graph.ts';
import {
  type GroupSetting,
  groupIdsOf,
  isSystemGroup,
  systemGroups,
} from '#shared/domain/groups/group-setting.ts';
import { roleAt, type User } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { belongingBefore } from '#shared/events/rewind.ts';
import type { Table } from '#shared/table/table.ts';
import { learnMemberships, listDirectGroups, loadBelow } from './groups.ts';

/**
 * The user as they were at a position, before events that came later, oldest first, with what settings ask about their groups learned.
 */
export async function learnUserBefore(
  table: Table,
  user: User,
  settings: GroupSetting[],
  later: LogEvent[],
  position: number,
): Promise<User> {
  const earlier: User = { ...user, role: roleAt(user, position), memberships: new Map() };
  const asked = settings.flatMap(groupIdsOf);
  const moved = later.flatMap(({ payload }) => (payload.direct_subgroup_ids ?? []) as number[]);
  const groups = asked.some((id) => !isSystemGroup(id))
    ? await loadBelow(table, [...asked, ...moved])
    : new Map();
  const direct = await listDirectGroups(table, user, [...groups.keys()]);
  const before = belongingBefore(user, { groups, direct }, later);
  await learnMemberships(table, earlier, [systemGroups.fullMembers]);
  for (const groupId of groups.keys())
    earlier.memberships?.set(groupId, belongsTo(earlier, groupId, before.groups, before.direct));
  return earlier;
}
