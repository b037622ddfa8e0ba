import { BadEventQueueId } from '#shared/domain/errors.ts';
import { belongsTo } from '#shared/domain/groups/graph.ts';
import {
  type GroupSetting,
  groupIdsOf,
  isSystemGroup,
  systemGroups,
} from '#shared/domain/groups/group-setting.ts';
import { roleAt, type User } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { type Belonging, belongingBefore } from '#shared/events/rewind.ts';
import type { Table } from '#shared/table/table.ts';
import { learnMemberships, listDirectGroups, loadBelow } from './groups.ts';

/** What somebody was at a place in the log is found out from what they are now and from what happened since. */
export interface Moment {
  position: number;
  /** The events after it that changed groups and that have been read already, oldest first. */
  later: LogEvent[];
  /** All such events up to now. */
  listLater: () => Promise<LogEvent[]>;
}

const ATTEMPTS = 10;

/**
 * The user as they were at a position, with what settings ask about their groups learned. Reads nothing where roles decide; else
 * the groups that are asked for as they are now, and then what happened to groups until they were read.
 * @throws BadEventQueueId where groups keep changing underneath
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

/** Groups of now can only be undone by what happened until they were read: all of that, and nothing else. */
async function loadBelongingAt(
  table: Table,
  user: User,
  asked: number[],
  { later, listLater }: Moment,
): Promise<Belonging> {
  let known = later;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const moved = known.flatMap(({ payload }) => (payload.direct_subgroup_ids ?? []) as number[]);
    const groups = await loadBelow(table, [...asked, ...moved]);
    const direct = await listDirectGroups(table, user, [...groups.keys()]);
    const all = await listLater();
    if (all.length === known.length) return belongingBefore(user, { groups, direct }, known);
    known = all;
  }
  throw new BadEventQueueId('');
}
