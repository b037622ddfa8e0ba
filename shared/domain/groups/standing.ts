import type { User } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { membersChanged } from './events.ts';
import type { Group } from './group.ts';
import { systemGroups } from './group-setting.ts';
import { type Standing, systemGroupsOf } from './system-groups.ts';

/**
 * What clients hear of the groups of a user whose role, activity or age changes: they leave some groups of the
 * organization and come into others. A new user has no standing before. `made` are the groups that somebody made and
 * that have the user as a direct member: members never include deactivated users, so whoever is deactivated leaves
 * those too, and comes back with the account.
 */
export function standingEvents(
  userId: number,
  before: Standing | undefined,
  after: Standing,
  { waitingPeriodDays, made = [] }: { waitingPeriodDays: number; made?: Group[] },
): LogEvent[] {
  const was = before ? systemGroupsOf(before, waitingPeriodDays) : [];
  const is = systemGroupsOf(after, waitingPeriodDays);
  const toGroup = (groupId: number) => ({ groupId, isDeactivated: false });
  const wasActive = before?.isActive ?? after.isActive;
  const left = was.filter((id) => !is.includes(id)).map(toGroup);
  const joined = is.filter((id) => !was.includes(id)).map(toGroup);
  if (wasActive && !after.isActive) left.push(...made);
  if (!wasActive && after.isActive) joined.push(...made);
  return [
    ...left.flatMap((group) => membersChanged(group, 'remove_members', [userId])),
    ...joined.flatMap((group) => membersChanged(group, 'add_members', [userId])),
  ];
}

/** Who becomes a full member by another time for which members are new, or stops to be one. */
export const standingTurns = (users: User[], daysBefore: number, daysAfter: number) =>
  users
    .map((user) => ({ user, wasFull: isFullMember(user, daysBefore), isFull: isFullMember(user, daysAfter) }))
    .filter(({ wasFull, isFull }) => wasFull !== isFull);

const isFullMember = (user: User, waitingPeriodDays: number): boolean =>
  systemGroupsOf(user, waitingPeriodDays).includes(systemGroups.fullMembers);

/** What clients hear when the organization calls members new for another time than before. */
export function waitingPeriodEvents(users: User[], daysBefore: number, daysAfter: number): LogEvent[] {
  const turns = standingTurns(users, daysBefore, daysAfter);
  const those = (isFull: boolean): number[] =>
    turns
      .filter((turn) => turn.isFull === isFull)
      .map(({ user }) => user.userId)
      .sort((a, b) => a - b);
  const group = { groupId: systemGroups.fullMembers, isDeactivated: false };
  return [
    ...membersChanged(group, 'remove_members', those(false)),
    ...membersChanged(group, 'add_members', those(true)),
  ];
}
