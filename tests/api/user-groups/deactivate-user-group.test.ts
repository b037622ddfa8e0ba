import { describe, expect, test } from 'vitest';
import { groupKeys } from '#shared/table/keys/groups.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { proves } from '#tests/conformance/proves.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { archiveChannel, createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { change, createGroup, deactivate, edit, groups, people, succeeds } from './group-calls.ts';
import { drainGroups, expectMembersOnly, recordOf } from './group-records.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

const among = (...direct_subgroups: number[]) => ({ ...people(bo), direct_subgroups });
const setOrganizationGroups = (settings: object): Promise<void> => {
  const key = organizationKeys.organization();
  return service.services.table.write({ kind: 'update', key, set: { groups: settings } });
};

async function expectObjections(groupId: number, objections: object[]): Promise<void> {
  expectRefusal(await deactivate(ada, groupId), 'Cannot deactivate user group in use.', {
    code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
    objections,
  });
  expect((await recordOf(ada, groupId)).deactivated).toBe(false);
}

describe('Deactivating a group', () => {
  test('Sends an update, or a removal to older clients', proves('deactivate-user-group.11'), async () => {
    const groupId = await createGroup(ada, [bo]);
    const capable = await bo.listen({ client_capabilities: { include_deactivated_groups: true } });
    const old = await guest.listen();
    succeeds(await deactivate(ada, groupId));
    const about = { type: 'user_group', group_id: groupId };
    const update = { ...about, op: 'update', data: { deactivated: true } };
    expect(await drainGroups(capable)).toEqual([update]);
    expect(await drainGroups(old)).toEqual([{ ...about, op: 'remove' }]);
    expect((await recordOf(ada, groupId)).deactivated).toBe(true);
    const { body } = await ada.get('/user_groups');
    expect(body.user_groups.map(({ id }: { id: number }) => id)).not.toContain(groupId);
  });

  const snapshots = proves('deactivate-user-group.2', 'register-queue.20');
  test.each([true, false])('Agrees with the snapshot if supported: %s', snapshots, async (knows) => {
    const write = async () => {
      const groupId = await createGroup(ada, [bo]);
      succeeds(await deactivate(ada, groupId));
      succeeds(await edit(ada, groupId, { name: `renamed ${groupId}` }));
      const changes = { add: [guest.userId], delete: [bo.userId], add_subgroups: [4] };
      succeeds(await change(ada, groupId, changes));
      succeeds(await change(ada, groupId, { delete_subgroups: [4] }));
    };
    const capabilities = { include_deactivated_groups: knows };
    await expectConsistentSnapshot(service, [service.owner, bo, guest], write, capabilities);
  });

  test('Hides archived channels from its members, and reactivating shows them again', async () => {
    const groupId = await createGroup(ada, [bo]);
    const room = await createChannel(service, [ada], { invite_only: true, can_subscribe_group: groupId });
    await archiveChannel(service, room);
    const status = async () => (await bo.get(`/streams/${room.channelId}`)).status;
    expect(await status()).toBe(200);
    const steps = [
      async () => {
        succeeds(await deactivate(ada, groupId));
        expect(await status()).toBe(400);
      },
      async () => succeeds(await edit(ada, groupId, { deactivated: false })),
    ];
    await expectConsistentSnapshot(service, [service.owner, ada, bo], steps, { archived_channels: true });
    expect(await status()).toBe(200);
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
    const key = groupKeys.group(groupId);
    await service.services.table.write({ kind: 'update', key, set: { isDeactivated: true } });
    expectRefusal(await view(), 'Invalid channel ID');
  });
});

describe('A group cannot be deactivated', () => {
  const objections = proves(
    'deactivate-user-group.5',
    'deactivate-user-group.7',
    'deactivate-user-group.9',
    'deactivate-user-group.10',
  );
  test('If settings of the organization use it', objections, async () => {
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
  });

  test('If settings of active channels use it', proves('deactivate-user-group.7'), async () => {
    const groupId = await createGroup(ada);
    const posting = { can_send_message_group: groupId, can_create_topic_group: among(groupId) };
    const first = await createChannel(service, [ada], posting);
    const second = await createChannel(service, [ada], { invite_only: true, can_subscribe_group: groupId });
    const settings = ['can_create_topic_group', 'can_send_message_group'];
    await expectObjections(groupId, [
      { type: 'channel', channel_id: first.channelId, settings },
      { type: 'channel', channel_id: second.channelId, settings: ['can_subscribe_group'] },
    ]);
    for (const channel of [first, second]) await archiveChannel(service, channel);
    succeeds(await deactivate(ada, groupId));
  });

  test('If settings of active groups use it', proves('deactivate-user-group.7'), async () => {
    const groupId = await createGroup(ada);
    const uses = { can_mention_group: groupId, can_join_group: among(groupId) };
    const other = await createGroup(ada, [], uses);
    succeeds(await edit(ada, groupId, { can_leave_group: { new: groupId } }));
    await expectObjections(groupId, [
      { type: 'user_group', group_id: groupId, settings: ['can_leave_group'] },
      { type: 'user_group', group_id: other, settings: ['can_join_group', 'can_mention_group'] },
    ]);
    succeeds(await edit(ada, groupId, { can_leave_group: { new: 7 } }));
    succeeds(await deactivate(ada, other));
    succeeds(await deactivate(ada, groupId));
  });

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

  test('If hidden channels use it, whose names it omits', proves('deactivate-user-group.10'), async () => {
    const groupId = await createGroup(ada);
    const known = await createChannel(service, [ada], { can_subscribe_group: groupId });
    for (const params of [{ can_subscribe_group: groupId }, { can_send_message_group: groupId }])
      await createChannel(service, [bo], { invite_only: true, ...params });
    const hidden = { type: 'channel', settings: ['can_send_message_group', 'can_subscribe_group'] };
    const settings = ['can_subscribe_group'];
    await expectObjections(groupId, [{ type: 'channel', channel_id: known.channelId, settings }, hidden]);
    const { objections } = (await deactivate(service.owner, groupId)).body;
    expect(objections).toHaveLength(3);
    for (const { channel_id } of objections) expect(channel_id).toEqual(expect.any(Number));
  });

  test('If it is used in every way at once, in this order', proves('deactivate-user-group.9'), async () => {
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
  });

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
    expectMembersOnly(await deactivate(guest, groupId));
    succeeds(await deactivate(ada, groupId));
    succeeds(await deactivate(service.owner, await createGroup(ada)));
    const managed = await createGroup(ada, [], { can_manage_group: people(bo, guest) });
    expectRefusal(await deactivate(ada, managed), 'Insufficient permission');
    expectMembersOnly(await deactivate(guest, managed));
    succeeds(await deactivate(bo, managed));
  });

  test('Belongs to members of managing groups, until they are removed', async () => {
    const managers = await createGroup(ada, [bo]);
    const first = await createGroup(ada, [], { can_manage_group: managers });
    const second = await createGroup(ada, [], { can_manage_group: groups(3, managers) });
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
