import { expect, test } from 'vitest';
import {
  type Organization,
  visibilityGroupsAt,
  visibilityTurnsWith,
} from '#shared/domain/organization/organization.ts';
import { organizationChange } from '#shared/domain/organization/organization-change.ts';
import { systemGroups } from '#shared/domain/user-groups/group-setting.ts';
import { roleAt, roles, roleTurnsWith, type User } from '#shared/domain/users/user.ts';
import { logEvent } from '#tests/harness/any-event.ts';
import { idsFrom } from './edge.ts';

const { member, guest, owner } = roles;

test('A change of role applies from its own position of the log on', () => {
  const user = {
    role: owner,
    roleTurns: [
      [10, member],
      [20, guest],
    ],
  } as User;
  expect([9, 10, 19, 20, 21].map((position) => roleAt(user, position))).toEqual([
    member,
    guest,
    guest,
    owner,
    owner,
  ]);
  expect(roleAt({ role: guest } as User, 1)).toBe(guest);
});

test('The visibility of users for guests changes at a position of the log, with the other value before', () => {
  const { everyone, members } = systemGroups;
  const seen = (now: number, sightTurns: number[]) => {
    const organization = { groups: { can_access_all_users_group: now }, sightTurns };
    return [9, 10, 19, 20].map(
      (position) =>
        visibilityGroupsAt(organization as unknown as Organization, position).can_access_all_users_group,
    );
  };
  expect(seen(everyone, [10, 20])).toEqual([everyone, members, members, everyone]);
  expect(seen(members, [10, 20])).toEqual([members, everyone, everyone, members]);
  expect(seen(members, [10])).toEqual([everyone, members, members, members]);
});

test('An edit of the organization is remembered as a change of visibility only if it is one', () => {
  const organization = { sightTurns: [5], settings: {}, groups: {}, revision: 1 } as unknown as Organization;
  const turnsAfter = (...data: Record<string, unknown>[]) => {
    const payloads = data.map((one) => logEvent({ type: 'realm', op: 'update_dict', data: one }).payload);
    const { writes } = organizationChange(organization, payloads);
    const [write] = typeof writes === 'function' ? writes(10) : [];
    return write?.kind === 'update' ? write.set?.sightTurns : undefined;
  };
  const sight = { can_access_all_users_group: systemGroups.members };
  expect(turnsAfter(sight)).toEqual([5, 10]);
  expect(turnsAfter({ name: 'x' }, { ...sight, name: 'x' })).toEqual([5, 10]);
  expect(turnsAfter({ can_create_groups: systemGroups.members }, { name: 'x' })).toBeUndefined();
  expect(turnsAfter()).toBeUndefined();
});

test('The twenty newest changes of a role and of the visibility are kept', () => {
  const user = (turns: number): User => ({
    ...({ role: owner } as User),
    roleTurns: idsFrom(1, turns).map((position) => [position, guest]),
  });
  const keptRoles = (turns: number) => roleTurnsWith(user(turns), 100)?.map(([position]) => position);
  const organization = (turns: number) => ({ sightTurns: idsFrom(1, turns) }) as Organization;
  const keptSights = (turns: number) => visibilityTurnsWith(organization(turns), 100);
  for (const kept of [keptRoles, keptSights]) {
    expect(kept(0)).toEqual([100]);
    expect(kept(19)).toEqual([...idsFrom(1, 19), 100]);
    expect(kept(20)).toEqual([...idsFrom(2, 19), 100]);
    expect(kept(21)).toEqual([...idsFrom(3, 19), 100]);
  }
  expect(roleTurnsWith(user(0), 100)).toEqual([[100, owner]]);
});
