import { describe, expect, test } from 'vitest';
import { groupKeys } from '#shared/table/keys/groups.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { proves } from '#tests/conformance/proves.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { archiveChannel, createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import {
  change,
  createGroup,
  deactivate,
  drainGroups,
  edit,
  people,
  recordOf,
  succeeds,
} from './group-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

const among = (...groupIds: number[]) => ({ direct_members: [bo.userId], direct_subgroups: groupIds });
const setOrganizationGroups = (groups: object): Promise<void> =>
  service.services.table.write({ kind: 'update', key: organizationKeys.organization(), set: { groups } });

async function expectObjections(groupId: number, objections: object[]): Promise<void> {
  expectRefusal(await deactivate(ada, groupId), 'Cannot deactivate user group in use.', {
    code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
    objections,
  });
  expect((await recordOf(ada, groupId)).deactivated).toBe(false);
}

describe('Deactivating a group', () => {
  test(
    'Sends an update to clients that support deactivated groups, and a removal to others',
    proves('deactivate-user-group.11'),
    async () => {
      const groupId = await createGroup(ada, [bo]);
      const [capable, old] = await Promise.all([
        bo.listen({ client_capabilities: { include_deactivated_groups: true } }),
        guest.listen(),
      ]);
      succeeds(await deactivate(ada, groupId));
      expect(await drainGroups(capable)).toEqual([
        { type: 'user_group', op: 'update', group_id: groupId, data: { deactivated: true } },
      ]);
      expect(await drainGroups(old)).toEqual([{ type: 'user_group', op: 'remove', group_id: groupId }]);
      expect((await recordOf(ada, groupId)).deactivated).toBe(true);
      const { body } = await ada.get('/user_groups');
      expect(body.user_groups.map(({ id }: { id: number }) => id)).not.toContain(groupId);
    },
  );

  test.each([true, false])(
    'Looks the same to a client that registers afterwards; supported: %s',
    proves('deactivate-user-group.2', 'register-queue.20'),
    async (knows) => {
      await expectConsistentSnapshot(
        service,
        [service.owner, bo, guest],
        async () => {
          const groupId = await createGroup(ada, [bo]);
          succeeds(await deactivate(ada, groupId));
          succeeds(await edit(ada, groupId, { name: `renamed ${groupId}` }));
          succeeds(
            await change(ada, groupId, { add: [guest.userId], delete: [bo.userId], add_subgroups: [4] }),
          );
          succeeds(await change(ada, groupId, { delete_subgroups: [4] }));
        },
        { include_deactivated_groups: knows },
      );
    },
  );

  test('Hides archived channels from its members, and reactivating shows them again', async () => {
    const groupId = await createGroup(ada, [bo]);
    const room = await createChannel(service, [ada], { invite_only: true, can_subscribe_group: groupId });
    await archiveChannel(service, room);
    const statuses: number[] = [];
    const look = async () => statuses.push((await bo.get(`/streams/${room.channelId}`)).status);
    await look();
    const steps = [() => deactivate(ada, groupId), () => edit(ada, groupId, { deactivated: false })].map(
      (act) => async () => {
        succeeds(await act());
        await look();
      },
    );
    await expectConsistentSnapshot(service, [service.owner, ada, bo], steps, { archived_channels: true });
    expect(statuses).toEqual([200, 400, 200]);
  });

  test('Succeeds once', async () => {
    const groupId = await createGroup(ada);
    const replies = await Promise.all([1, 2, 3].map(() => deactivate(ada, groupId)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expectRefusal(await deactivate(ada, groupId), 'User group is deactivated.');
  });

  test('Leaves no user with the group’s permissions', proves('deactivate-user-group.3'), async () => {
    const groupId = await createGroup(ada, [bo]);
    const room = await createChannel(service, [ada], { invite_only: true, can_subscribe_group: groupId });
    const view = () => bo.get(`/streams/${room.channelId}/members`);
    expect((await view()).status).toBe(200);
    // As if the channel had begun to name the group while it was deactivated.
    await service.services.table.write({
      kind: 'update',
      key: groupKeys.group(groupId),
      set: { isDeactivated: true },
    });
    expectRefusal(await view(), 'Invalid channel ID');
  });
});

describe('A group cannot be deactivated', () => {
  test(
    'If settings of the organization use it',
    proves(
      'deactivate-user-group.5',
      'deactivate-user-group.7',
      'deactivate-user-group.9',
      'deactivate-user-group.10',
    ),
    async () => {
      const groupId = await createGroup(ada);
      await setOrganizationGroups({
        can_create_public_channel_group: groupId,
        can_add_custom_emoji_group: among(groupId, 3),
      });
      await expectObjections(groupId, [
        { type: 'realm', settings: ['can_add_custom_emoji_group', 'can_create_public_channel_group'] },
      ]);
      await setOrganizationGroups({});
      succeeds(await deactivate(ada, groupId));
    },
  );

  test(
    'If settings of channels use it, except archived ones',
    proves('deactivate-user-group.7'),
    async () => {
      const groupId = await createGroup(ada);
      const first = await createChannel(service, [ada], {
        can_send_message_group: groupId,
        can_create_topic_group: among(groupId),
      });
      const second = await createChannel(service, [ada], { invite_only: true, can_subscribe_group: groupId });
      const settings = ['can_create_topic_group', 'can_send_message_group'];
      await expectObjections(groupId, [
        { type: 'channel', channel_id: first.channelId, settings },
        { type: 'channel', channel_id: second.channelId, settings: ['can_subscribe_group'] },
      ]);
      await archiveChannel(service, first);
      await archiveChannel(service, second);
      succeeds(await deactivate(ada, groupId));
    },
  );

  test(
    'If settings of groups use it, its own included, except deactivated ones',
    proves('deactivate-user-group.7'),
    async () => {
      const groupId = await createGroup(ada);
      const other = await createGroup(ada, [], {
        can_mention_group: groupId,
        can_join_group: among(groupId),
      });
      succeeds(await edit(ada, groupId, { can_leave_group: { new: groupId } }));
      await expectObjections(groupId, [
        { type: 'user_group', group_id: groupId, settings: ['can_leave_group'] },
        { type: 'user_group', group_id: other, settings: ['can_join_group', 'can_mention_group'] },
      ]);
      succeeds(await edit(ada, groupId, { can_leave_group: { new: 7 } }));
      succeeds(await deactivate(ada, other));
      succeeds(await deactivate(ada, groupId));
    },
  );

  test('If it is a subgroup, except of deactivated groups', proves('deactivate-user-group.8'), async () => {
    const groupId = await createGroup(ada);
    const above = [
      await createGroup(ada, [], { subgroups: [groupId] }),
      await createGroup(ada, [], { subgroups: [4, groupId] }),
    ];
    await expectObjections(groupId, [{ type: 'subgroup', supergroup_ids: above }]);
    for (const id of above) succeeds(await deactivate(ada, id));
    succeeds(await deactivate(ada, groupId));
  });

  test(
    'If private channels that the caller may not know use it, without their names or number',
    proves('deactivate-user-group.10'),
    async () => {
      const groupId = await createGroup(ada);
      const known = await createChannel(service, [ada], { can_subscribe_group: groupId });
      for (const params of [{ can_subscribe_group: groupId }, { can_send_message_group: groupId }])
        await createChannel(service, [bo], { invite_only: true, ...params });
      const hidden = { type: 'channel', settings: ['can_send_message_group', 'can_subscribe_group'] };
      const settings = ['can_subscribe_group'];
      await expectObjections(groupId, [{ type: 'channel', channel_id: known.channelId, settings }, hidden]);
      const { objections } = (await deactivate(service.owner, groupId)).body;
      expect(objections).toHaveLength(3);
      for (const one of objections) expect(one.channel_id).toEqual(expect.any(Number));
    },
  );

  test(
    'If it is used in every way at once: subgroup, channels, groups, organization, in this order',
    proves('deactivate-user-group.9'),
    async () => {
      const groupId = await createGroup(ada);
      const above = await createGroup(ada, [], { subgroups: [groupId], can_mention_group: among(groupId) });
      const room = await createChannel(service, [ada], { can_send_message_group: groupId });
      await setOrganizationGroups({ can_invite_users_group: groupId });
      await expectObjections(groupId, [
        { type: 'subgroup', supergroup_ids: [above] },
        { type: 'channel', channel_id: room.channelId, settings: ['can_send_message_group'] },
        { type: 'user_group', group_id: above, settings: ['can_mention_group'] },
        { type: 'realm', settings: ['can_invite_users_group'] },
      ]);
      await setOrganizationGroups({});
    },
  );

  test('If another request starts to use it meanwhile', async () => {
    for (let round = 0; round < 5; round++) {
      const groupId = await createGroup(ada);
      const above = await createGroup(ada);
      const [deactivation, use] = await Promise.all([
        deactivate(ada, groupId),
        change(ada, above, { add_subgroups: [groupId] }),
      ]);
      expect([deactivation.status, use.status].sort()).toEqual([200, 400]);
    }
  });
});

describe('The right to deactivate a group', () => {
  test('Belongs to managers of the group or of all groups, and to no other user', async () => {
    const permissive = { can_add_members_group: people(bo), can_join_group: 6, can_remove_members_group: 6 };
    const groupId = await createGroup(ada, [bo], permissive);
    const administrator = await createUser(service, 'Administrator', 200);
    for (const client of [bo, administrator])
      expectRefusal(await deactivate(client, groupId), 'Insufficient permission');
    expectRefusal(await deactivate(guest, groupId), 'Must be an organization member', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    succeeds(await deactivate(ada, groupId));
    succeeds(await deactivate(service.owner, await createGroup(ada)));
    const managed = await createGroup(ada, [], { can_manage_group: people(bo, guest) });
    expectRefusal(await deactivate(ada, managed), 'Insufficient permission');
    expectRefusal(await deactivate(guest, managed), 'Must be an organization member', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    succeeds(await deactivate(bo, managed));
  });

  test('Belongs to members of managing groups, until they are removed', async () => {
    const managers = await createGroup(ada, [bo]);
    const [first, second] = [
      await createGroup(ada, [], { can_manage_group: managers }),
      await createGroup(ada, [], {
        can_manage_group: { direct_members: [], direct_subgroups: [3, managers] },
      }),
    ];
    succeeds(await deactivate(bo, first));
    succeeds(await change(ada, managers, { delete: [bo.userId] }));
    expectRefusal(await deactivate(bo, second), 'Insufficient permission');
  });

  test('Follows the organization for managers of all groups', async () => {
    await setOrganizationGroups({ can_manage_all_groups: people(bo) });
    expectRefusal(await deactivate(service.owner, await createGroup(ada)), 'Insufficient permission');
    succeeds(await deactivate(bo, await createGroup(ada)));
    await setOrganizationGroups({});
  });
});

describe('A group that cannot be deactivated', () => {
  test.each([
    ['424242', 'Invalid user group'],
    ['1', 'Insufficient permission'],
    ['x', 'user_group_id is not valid JSON'],
  ])('%s', proves('deactivate-user-group.1', 'deactivate-user-group.6'), async (id, message) => {
    expectRefusal(await service.owner.post(`/user_groups/${id}/deactivate`), message);
  });

  test('Deactivating does not delete a group', async () => {
    expect((await service.owner.delete(`/user_groups/${await createGroup(ada)}`)).status).toBe(405);
  });
});
