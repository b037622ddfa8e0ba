import { BadEventQueueId } from '#shared/domain/errors.ts';
import { belongsTo } from '#shared/domain/user-groups/graph.ts';
import {
  type GroupSetting,
  groupIdsOf,
  isSystemGroup,
  systemGroups,
} from '#shared/domain/user-groups/group-setting.ts';
import { roleAt, type User } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { type Belonging, belongingBefore } from '#shared/events/rewind.ts';
import { learnMemberships, listDirectGroups, loadBelow } from '#shared/store/user-groups/groups.ts';
import type { Table } from '#shared/table/table.ts';

/** A past position. The state at that position is computed from the present state and later events. */
export interface Moment {
  position: number;
  /** Later events about groups that have been read, oldest first. */
  later: LogEvent[];
  /** All such events up to now. */
  listLater: () => Promise<LogEvent[]>;
}

const ATTEMPTS = 10;

/**
 * The user's state at a position, with the memberships that settings require. Reads nothing if roles decide;
 * otherwise the groups in their present state, then the events about groups since the position.
 * @throws BadEventQueueId if groups keep changing during the reads
 */
export async function learnUserAt(
  table: Table,
  user: User,
  settings: GroupSetting[],
  moment: Moment,
): Promise<User> {
  const earlier: User = { ...user, role: roleAt(user, moment.position), memberships: new Map() };
  const asked = settings.flatMap(groupIdsOf);
  const isGroupAsked = asked.some((id) => !isSystemGroup(id));
  if (isGroupAsked || asked.includes(systemGroups.fullMembers))
    await learnMemberships(table, earlier, [systemGroups.fullMembers]);
  if (!isGroupAsked) return earlier;
  const before = await loadBelongingAt(table, user, asked, moment);
  for (const groupId of before.groups.keys())
    earlier.memberships?.set(groupId, belongsTo(earlier, groupId, before.groups, before.direct));
  return earlier;
}

/** The present groups include exactly the changes up to their reading, so exactly these must be undone. */
async function loadBelongingAt(
  table: Table,
  user: User,
  asked: number[],
  { later, listLater }: Moment,
): Promise<Belonging> {
  let known = later;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const moved = known.flatMap(({ payload }) =>
      'direct_subgroup_ids' in payload ? payload.direct_subgroup_ids : [],
    );
    const groups = await loadBelow(table, [...asked, ...moved]);
    const direct = await listDirectGroups(table, user, [...groups.keys()]);
    const all = await listLater();
    if (all.length === known.length) return belongingBefore(user, { groups, direct }, known);
    known = all;
  }
  throw new BadEventQueueId('');
}
