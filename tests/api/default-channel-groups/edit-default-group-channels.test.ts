import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { archiveChannel, createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createGroup, editChannels, groupsSeenBy, unknownGroup } from './groups.ts';

const service = await startTestService();
const admin = await createUser(service, 'Admin', roles.administrator);
const [ada] = await createUsers(service, 'Ada');
const guest = await createUser(service, 'Guest', roles.guest);

describe('The channels of a default group', () => {
  test('Can be added and removed, which notifies all users except guests', async () => {
    const [first, second] = [await createChannel(service, [ada]), await createChannel(service, [ada])];
    const group = await createGroup(admin, [first.name]);
    const streamsSeen = async () => (await groupsSeenBy(ada)).find(({ id }) => id === group.id)?.streams;
    await expectConsistentSnapshot(service, [admin, ada, guest], async () => {
      const { status, body } = await editChannels(admin, group.id, 'add', [second.name]);
      expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
    });
    expect(await streamsSeen()).toEqual([first.channelId, second.channelId]);
    await expectConsistentSnapshot(service, [admin, ada, guest], () =>
      editChannels(admin, group.id, 'remove', [first.name]),
    );
    expect(await streamsSeen()).toEqual([second.channelId]);
  });

  test('Stay without an event if the request names none', async () => {
    const channel = await createChannel(service, [ada]);
    const group = await createGroup(admin, [channel.name]);
    const queue = await ada.listen();
    for (const op of ['add', 'remove']) {
      const { status, body } = await editChannels(admin, group.id, op, []);
      expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
    }
    expect(await queue.drain()).toEqual([]);
    expect(await groupsSeenBy(ada)).toContainEqual(group);
  });

  test('Stay while a channel is archived, until it is unarchived', async () => {
    const channel = await createChannel(service, [ada]);
    const group = await createGroup(admin, [channel.name]);
    await archiveChannel(service, channel);
    await service.owner.patch(`/streams/${channel.channelId}`, { is_archived: false });
    expect(await groupsSeenBy(ada)).toContainEqual(group);
  });
});

describe('Editing the channels of a default group is refused for', () => {
  test('Adding a channel that is in the group, and removing one that is not', async () => {
    const [inside, outside] = [await createChannel(service, [ada]), await createChannel(service, [ada])];
    const group = await createGroup(admin, [inside.name]);
    expectRefusal(
      await editChannels(admin, group.id, 'add', [outside.name, inside.name]),
      `Channel '${inside.name}' is already present in default channel group '${group.name}'`,
    );
    expectRefusal(
      await editChannels(admin, group.id, 'remove', [inside.name, outside.name]),
      `Channel '${outside.name}' is not present in default channel group '${group.name}'`,
    );
    expect(await groupsSeenBy(ada)).toContainEqual(group);
  });

  test('A channel that is a default, private, or missing', async () => {
    const [common, secret] = [
      await createChannel(service, [admin]),
      await createChannel(service, [admin], { invite_only: true }),
    ];
    await admin.post('/default_streams', { stream_id: common.channelId });
    const group = await createGroup(admin, []);
    const add = (name: string) => editChannels(admin, group.id, 'add', [name]);
    expectRefusal(
      await add(common.name),
      `'${common.name}' is a default channel and cannot be added to '${group.name}'`,
    );
    expectRefusal(await add(secret.name), 'Private channels cannot be made default.');
    expectRefusal(await add('nowhere'), "Invalid channel name 'nowhere'");
  });

  test('An operation other than add and remove, or none', async () => {
    const { id } = await createGroup(admin, []);
    expectRefusal(
      await editChannels(admin, id, 'set', []),
      'Invalid value for "op". Specify one of "add" or "remove".',
    );
  });

  test('A group that does not exist', async () => {
    for (const op of ['add', 'remove'])
      expectRefusal(await editChannels(admin, 9_999, op, []), unknownGroup(9_999));
  });
});
