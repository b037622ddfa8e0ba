import { describe, expect, test } from 'vitest';
import { editChange } from '#shared/domain/user-groups/edit.ts';
import { groupUpdated, membersChanged } from '#shared/domain/user-groups/events.ts';
import { defaultGroupGroups, type Group } from '#shared/domain/user-groups/group.ts';
import { systemGroups } from '#shared/domain/user-groups/group-setting.ts';
import { groupKeys } from '#shared/table/keys/groups.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';

const group: Group = {
  ...{ groupId: 1_000, name: 'tea', description: '', creatorId: 7, createdAtSeconds: 0, revision: 2 },
  ...{ isDeactivated: false, subgroupIds: [], groups: defaultGroupGroups(7) },
};
const gone = { ...group, isDeactivated: true };
const ROOM = { pk: 'ROOM', sk: 'COUNT' };
const room = [{ kind: 'check' as const, key: ROOM, condition: {} }];
const facts = {
  ...{ memberIds: [7], graphRevision: 3, visibilityRevision: { people: 4, channels: 5 }, room },
};

describe('An edit of a user group', () => {
  const names = new Map(
    [
      ['group', groupKeys.group(1_000)],
      ['graph', groupKeys.graph()],
      ['who knows', organizationKeys.counter('who-knows')],
      ['room', ROOM],
      ['old name', groupKeys.name('tea')],
      ['new name', groupKeys.name('milk')],
    ].map(([name, key]) => [JSON.stringify(key), name as string]),
  );
  const written = (before: Group, after: Partial<Group>) => {
    const { writes = [] } = editChange(before, { ...before, ...after }, facts) ?? {};
    return (Array.isArray(writes) ? writes : []).map((write) => {
      const { pk, sk } = write.kind === 'put' ? write.item : write.key;
      return names.get(JSON.stringify({ pk, sk }));
    });
  };
  const settings = { groups: { ...group.groups, can_join_group: systemGroups.members } };

  test.each<[string, (string | undefined)[], Group, Partial<Group>]>([
    ['of nothing', [], group, {}],
    ['of its description', ['group'], group, { description: 'x' }],
    ['of its name', ['group', 'old name', 'new name'], group, { name: 'milk' }],
    ['of letters of its name', ['group'], group, { name: 'Tea' }],
    ['of its settings', ['group', 'graph'], group, settings],
    ['that brings it back', ['group', 'graph', 'who knows', 'room'], gone, { isDeactivated: false }],
    ['of its name while it is deactivated', ['group', 'old name', 'new name'], gone, { name: 'milk' }],
  ])('Writes the changed items: an edit %s', (_of, expected, before, after) => {
    expect(written(before, after)).toEqual(expected);
  });

  test('Sends older clients nothing of a deactivated group, and all of it when it is reactivated', () => {
    const announced = (before: Group, after: Partial<Group>) =>
      editChange(before, { ...before, ...after }, facts)?.events?.[0]?.payload;
    expect(announced(group, { name: 'milk' })).not.toHaveProperty('beside');
    expect(announced(gone, { name: 'milk' })).toMatchObject({
      ...{ data: { name: 'milk' }, beside: { isDeactivated: true } },
    });
    expect(announced(gone, { isDeactivated: false })).toMatchObject({
      ...{ data: { deactivated: false }, beside: { group: { id: 1_000, members: [7] } } },
    });
  });
});

test('An event of a group contains beside itself only fields for older clients', () => {
  expect(groupUpdated(5, {}).payload).not.toHaveProperty('beside');
  const [active, deactivated] = [false, true].map((isDeactivated) =>
    membersChanged({ groupId: 5, isDeactivated }, 'add_members', [7]),
  );
  expect(active?.[0]?.payload).not.toHaveProperty('beside');
  expect(deactivated?.[0]?.payload).toMatchObject({ beside: { isDeactivated: true } });
  expect(membersChanged({ groupId: 5, isDeactivated: false }, 'add_members', [])).toEqual([]);
});
