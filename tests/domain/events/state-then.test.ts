import { describe, expect, test } from 'vitest';
import type { Group } from '#shared/domain/user-groups/group.ts';
import { roles, type User } from '#shared/domain/users/user.ts';
import { peopleBefore } from '#shared/events/people-then.ts';
import { belongingBefore } from '#shared/events/rewind.ts';
import { type AnyPayload, logEvent } from '#tests/harness/any-event.ts';

const user = (userId: number, given: Partial<User> = {}): User =>
  ({
    userId,
    email: `u${userId}@x.org`,
    role: roles.member,
    isActive: true,
    botOwnerId: null,
    ...given,
  }) as User;
const update = (person: object, more: object = {}): AnyPayload => ({
  type: 'realm_user',
  op: 'update',
  person,
  ...more,
});

describe('Users as of an earlier position', () => {
  const undone = (now: User[], ...entries: AnyPayload[][]): User[] =>
    peopleBefore(
      now,
      entries.map((payloads, n) => ({
        position: n + 1,
        events: payloads.map((payload) => logEvent(payload)),
      })),
    );

  test('Have the role, the owner and the activity from before the first change', () => {
    const roleOf = (role: number, previousRole: number) => update({ user_id: 1, role }, { previousRole });
    const [first] = undone(
      [user(1, { role: roles.owner })],
      [roleOf(300, 400), roleOf(200, 300)],
      [roleOf(100, 200)],
    );
    expect(first).toMatchObject({ role: 400 });
    const bot = user(2, { botOwnerId: 9 });
    expect(undone([bot], [update({ user_id: 2, bot_owner_id: 9 }, { previousOwnerId: 8 })])).toMatchObject([
      { botOwnerId: 8 },
    ]);
    expect(undone([user(3, { isActive: false })], [update({ user_id: 3, is_active: false })])).toMatchObject([
      { isActive: true },
    ]);
    expect(
      undone(
        [user(3)],
        [update({ user_id: 3, is_active: false })],
        [update({ user_id: 3, is_active: true })],
      ),
    ).toMatchObject([{ isActive: true }]);
    expect(undone([user(4)], [update({ user_id: 4, full_name: 'Other' })])).toEqual([user(4)]);
  });

  test('Exclude users who came later, and unknown ones', () => {
    const add: AnyPayload = { type: 'realm_user', op: 'add', user: user(2) };
    expect(
      undone([user(1), user(2)], [update({ user_id: 2, role: 300 }, { previousRole: 400 })], [add]),
    ).toEqual([user(1)]);
    expect(undone([user(1)], [update({ user_id: 5, role: 300 }, { previousRole: 400 })])).toEqual([user(1)]);
    expect(undone([user(1)], [{ type: 'realm', op: 'update', user: user(1) }])).toEqual([user(1)]);
  });
});

describe('Memberships as of an earlier position', () => {
  const group = (subgroupIds: number[], isDeactivated = false): Group =>
    ({ groupId: 20, subgroupIds, isDeactivated }) as Group;
  const undone = (now: { groups?: Group[]; direct?: number[] }, ...payloads: AnyPayload[]) => {
    const groups = new Map((now.groups ?? []).map((one) => [one.groupId, one]));
    const then = belongingBefore(
      user(1),
      { groups, direct: new Set(now.direct ?? []) },
      payloads.map((payload) => logEvent(payload)),
    );
    return { direct: [...then.direct], group: then.groups.get(20) };
  };
  const change = (op: string, fields: object): AnyPayload => ({
    type: 'user_group',
    op,
    group_id: 20,
    ...fields,
  });

  test('Have the state before the first change, the newest undone first', () => {
    const [come, go] = ['add_members', 'remove_members'].map((op) => change(op, { user_ids: [1, 2] })) as [
      AnyPayload,
      AnyPayload,
    ];
    expect(undone({ direct: [20] }, come).direct).toEqual([]);
    expect(undone({}, go).direct).toEqual([20]);
    expect(undone({ direct: [20] }, go, come).direct).toEqual([20]);
    expect(undone({}, come, go).direct).toEqual([]);
    expect(undone({ direct: [20] }, change('add_members', { user_ids: [2] })).direct).toEqual([20]);
    expect(undone({}, change('remove_members', { user_ids: [2] })).direct).toEqual([]);
  });

  test('Have the subgroups and the active groups of that time', () => {
    const fields = { direct_subgroup_ids: [31] };
    expect(undone({ groups: [group([30, 31])] }, change('add_subgroups', fields)).group).toEqual(group([30]));
    expect(undone({ groups: [group([30])] }, change('remove_subgroups', fields)).group).toEqual(
      group([30, 31]),
    );
    const deactivation = change('update', { data: { deactivated: true } });
    expect(undone({ groups: [group([], true)] }, deactivation).group).toEqual(group([]));
    expect(undone({ groups: [group([], true)] }, change('update', { data: { name: 'x' } })).group).toEqual(
      group([], true),
    );
  });

  test('Leave the current groups unchanged', () => {
    const present = group([30, 31]);
    undone({ groups: [present] }, change('add_subgroups', { direct_subgroup_ids: [31] }));
    expect(present).toEqual(group([30, 31]));
  });
});
