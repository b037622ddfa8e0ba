import type { User } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { membersChanged } from './events.ts';
import type { Group } from './group.ts';
import { systemGroups } from './group-setting.ts';
import { type Standing, systemGroupsOf } from './system-groups.ts';

/**
 * The events about a user whose role, activity or age changes: they leave and join system groups. A new user
 * was in none before. `made` are the custom groups with the user as a direct member: deactivation removes the
 * user from these too, and reactivation restores them.
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

/** Members whose full-member status changes when the waiting period changes. */
export const standingTurns = (users: User[], daysBefore: number, daysAfter: number) =>
  users
    .map((user) => ({ user, wasFull: isFullMember(user, daysBefore), isFull: isFullMember(user, daysAfter) }))
    .filter(({ wasFull, isFull }) => wasFull !== isFull);

const isFullMember = (user: User, waitingPeriodDays: number): boolean =>
  systemGroupsOf(user, waitingPeriodDays).includes(systemGroups.fullMembers);

/** The events when the organization changes the waiting period for new members. */
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
