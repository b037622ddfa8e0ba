import { describe, expect, test } from 'vitest';
import { belongsTo, reach } from '#shared/domain/user-groups/graph.ts';
import { defaultGroupGroups, type Group } from '#shared/domain/user-groups/group.ts';
import { standingEvents, waitingPeriodEvents } from '#shared/domain/user-groups/standing.ts';
import { asOf, type Role, roles, type User } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import type { AnyPayload } from '#tests/harness/any-event.ts';
import { userOf } from '#tests/harness/samples.ts';

const DAY_SECONDS = 24 * 3600;
const member = userOf(10, roles.member, { ageSeconds: 0 });
const as = (role: Role, more: Partial<User> = {}): User => ({ ...member, role, ...more });
const groupOf = (groupId: number, subgroupIds: number[] = [], isDeactivated = false): Group => ({
  groupId,
  name: `group ${groupId}`,
  description: '',
  creatorId: 10,
  createdAtSeconds: 0,
  isDeactivated,
  subgroupIds,
  groups: defaultGroupGroups(10),
  revision: 0,
});
const mapOf = (...groups: Group[]) => new Map(groups.map((group) => [group.groupId, group]));

const linesOf = (events: LogEvent[]): string[] =>
  events
    .map(({ payload }): AnyPayload => payload)
    .map(({ op, group_id, user_ids }) => `${op} ${group_id} ${user_ids}`);
const standing = (before: User | undefined, after: User, waitingPeriodDays = 0, made?: Group[]): string[] =>
  linesOf(standingEvents(10, before, after, { waitingPeriodDays, ...(made && { made }) }));

describe('Clients get the changed groups of a user', () => {
  test.each<[string, User | undefined, User, number, string[]]>([
    ['is new', undefined, member, 0, ['add_members 5 10', 'add_members 6 10']],
    [
      'was created by a clock that is ahead of ours',
      undefined,
      asOf({ ...member, createdAtSeconds: 5 }, 4),
      0,
      ['add_members 5 10', 'add_members 6 10'],
    ],
    ['is new and has to wait', undefined, member, 3, ['add_members 6 10']],
    ['is new and a guest', undefined, as(roles.guest), 0, ['add_members 7 10']],
    [
      'becomes a moderator',
      member,
      as(roles.moderator),
      0,
      ['remove_members 5 10', 'remove_members 6 10', 'add_members 4 10'],
    ],
    ['becomes an owner while new', member, as(roles.owner), 3, ['remove_members 6 10', 'add_members 2 10']],
    [
      'was a guest',
      as(roles.guest),
      member,
      0,
      ['remove_members 7 10', 'add_members 5 10', 'add_members 6 10'],
    ],
    ['whose role stays', member, { ...member, fullName: 'Eve' }, 0, []],
    ['has waited', member, { ...member, ageSeconds: 3 * DAY_SECONDS }, 3, ['add_members 5 10']],
  ])('If the user %s', (_who, before, after, days, expected) => {
    expect(standing(before, after, days)).toEqual(expected);
  });

  test('After a deactivation and reactivation, user-made groups included', () => {
    const made = [groupOf(20), groupOf(21, [], true)];
    const gone = { ...member, isActive: false };
    expect(standing(member, gone, 0, made)).toEqual([
      'remove_members 5 10',
      'remove_members 6 10',
      'remove_members 20 10',
      'remove_members 21 10',
    ]);
    expect(standing(gone, as(roles.guest), 0, made)).toEqual([
      'add_members 7 10',
      'add_members 20 10',
      'add_members 21 10',
    ]);
    expect(standing(gone, { ...gone, role: roles.owner }, 0, made)).toEqual([]);
    expect(standing(as(roles.guest), member, 0, made)).not.toContain('add_members 20 10');
  });

  test('After the organization changes the waiting period', () => {
    const users = [1, 2, 3, 4].map((days) => ({ ...member, userId: days, ageSeconds: days * DAY_SECONDS }));
    expect(linesOf(waitingPeriodEvents(users, 0, 3))).toEqual(['remove_members 5 1,2']);
    expect(linesOf(waitingPeriodEvents(users, 4, 2))).toEqual(['add_members 5 2,3']);
    expect(waitingPeriodEvents(users, 10, 20)).toEqual([]);
  });
});

describe('The membership in user-made groups', () => {
  test('Includes subgroups, through any cycle, but not deactivated groups', () => {
    const groups = mapOf(
      groupOf(20, [21]),
      groupOf(21, [22, 4]),
      groupOf(22, [20]),
      groupOf(23, [24]),
      groupOf(24, [], true),
    );
    expect([...reach(groups, 20)].sort()).toEqual([20, 21, 22, 4]);
    expect(belongsTo(member, 20, groups, new Set([22]))).toBe(true);
    expect(belongsTo(member, 20, groups, new Set([23]))).toBe(false);
    expect(belongsTo(as(roles.moderator), 22, groups, new Set())).toBe(true);
    expect(belongsTo(member, 23, groups, new Set([24]))).toBe(false);
    expect(belongsTo(member, 24, groups, new Set([24]))).toBe(false);
  });

  test('Takes no longer if every group names all others', () => {
    const ids = Array.from({ length: 300 }, (_, n) => 100 + n);
    const groups = mapOf(...ids.map((id) => groupOf(id, ids)));
    expect(belongsTo(member, 100, groups, new Set())).toBe(false);
    expect(reach(groups, 100).size).toBe(300);
  });
});
