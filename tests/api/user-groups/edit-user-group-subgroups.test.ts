import { describe, expect, test } from 'vitest';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createGroup, deactivate, drainGroups, recordOf, succeeds } from './group-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

const change = (client: Client, groupId: number, params: Params): Promise<Reply> =>
  client.post(`/user_groups/${groupId}/subgroups`, params);

test('Subgroups can be added and removed, and every user is notified', async () => {
  await expectConsistentSnapshot(service, [service.owner, bo, guest], async () => {
    const below = await createGroup(ada);
    const groupId = await createGroup(ada, [], { subgroups: [3] });
    const queue = await guest.listen();
    succeeds(await change(ada, groupId, { add: [below, 4, 4], delete: [3] }));
    const about = { type: 'user_group', group_id: groupId };
    expect(await drainGroups(queue)).toEqual([
      { ...about, op: 'add_subgroups', direct_subgroup_ids: [4, below] },
      { ...about, op: 'remove_subgroups', direct_subgroup_ids: [3] },
    ]);
    expect((await recordOf(ada, groupId)).direct_subgroup_ids).toEqual([4, below]);
  });
});

describe('Nothing changes in the subgroups', () => {
  test('If one of them is refused', async () => {
    const [below, gone] = [await createGroup(ada), await createGroup(ada)];
    const groupId = await createGroup(ada, [], { subgroups: [below] });
    succeeds(await deactivate(ada, gone));
    const before = await recordOf(ada, groupId);
    const cases: [Params, string][] = [
      [{}, 'Nothing to do. Specify at least one of "add" or "delete".'],
      [{ add: [], delete: [] }, 'Nothing to do. Specify at least one of "add" or "delete".'],
      [{ add: [4, below] }, `User group ${below} is already a subgroup of this group.`],
      [{ add: [4], delete: [3] }, 'User group 3 is not a subgroup of this group.'],
      [{ add: [4, 424242] }, 'Invalid user group ID: 424242'],
      [{ add: [4, gone] }, 'User group is deactivated.'],
      [{ add: [4, groupId] }, `User group ${groupId} is already a subgroup of one of the passed subgroups.`],
      [{ add: 4 }, 'add is not a list'],
    ];
    for (const [params, message] of cases) expectRefusal(await change(ada, groupId, params), message);
    expectRefusal(
      await change(ada, below, { add: [groupId] }),
      `User group ${below} is already a subgroup of one of the passed subgroups.`,
    );
    expect(await recordOf(ada, groupId)).toEqual(before);
  });

  test('If the caller may not add or remove', async () => {
    const groupId = await createGroup(ada, [], { subgroups: [3], can_add_members_group: 6 });
    succeeds(await change(bo, groupId, { add: [4] }));
    expectRefusal(await change(bo, groupId, { delete: [4] }), 'Insufficient permission');
    expectRefusal(await change(bo, groupId, { add: [2], delete: [4] }), 'Insufficient permission');
    expectRefusal(await change(guest, groupId, { add: [2] }), 'Must be an organization member', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    expectRefusal(await change(service.owner, 6, { add: [2] }), 'Insufficient permission');
    expectRefusal(await change(service.owner, 424242, { add: [2] }), 'Invalid user group');
  });
});
