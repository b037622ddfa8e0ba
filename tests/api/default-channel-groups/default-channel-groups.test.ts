// The operations createDefaultGroup, editDefaultGroup, editDefaultGroupChannels and deleteDefaultGroup.
import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { archiveChannel, createChannel, createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

interface Group {
  id: number;
  name: string;
  description: string;
  streams: number[];
}

const service = await startTestService();
const admin = await createUser(service, 'Admin', roles.administrator);
const [ada] = await createUsers(service, 'Ada');
const guest = await createUser(service, 'Guest', roles.guest);

const PATH = '/default_stream_groups';
const create = (group_name: string, stream_names: string[] = [], params: Params = {}) =>
  admin.post(`${PATH}/create`, { group_name, description: 'For newcomers', stream_names, ...params });
const edit = (id: number, params: Params) => admin.patch(`${PATH}/${id}`, params);
const editChannels = (id: number, op: string, stream_names: string[] = []) =>
  admin.patch(`${PATH}/${id}/streams`, { op, stream_names });
const remove = (id: number) => admin.delete(`${PATH}/${id}`);

/** The groups in register. */
const groupsSeenBy = async (client: Client): Promise<Group[]> =>
  (await client.register({ fetch_event_types: ['default_stream_groups'] })).snapshot
    .realm_default_stream_groups;

let count = 0;
const groupName = (): string => `group ${++count}`;

async function createGroup(...channels: string[]): Promise<Group> {
  const name = groupName();
  expect((await create(name, channels)).status).toBe(200);
  return (await groupsSeenBy(admin)).find((group) => group.name === name) as Group;
}
const newChannel = (params: Params = {}) => createChannel(service, [admin], params);
async function newDefaultChannel() {
  const channel = await newChannel();
  await admin.post('/default_streams', { stream_id: channel.channelId });
  return channel;
}

describe('Creating a default channel group', () => {
  test('Sends it to all users except guests, by name and with the ids of its channels', async () => {
    const [second, first] = [await newChannel(), await newChannel()];
    const event_types = ['default_stream_groups'];
    const queues = await listenAll([ada, guest], { event_types });
    await expectConsistentSnapshot(service, [admin, ada, guest], () =>
      create(' Kiln ', [first.name.toUpperCase(), ` ${second.name} `]),
    );
    const streams = [second.channelId, first.channelId];
    const group = { id: expect.any(Number), name: 'Kiln', description: 'For newcomers', streams };
    expect(await groupsSeenBy(ada)).toEqual([group]);
    expect(await Promise.all(queues.map((queue) => queue.drain()))).toEqual([
      [{ type: 'default_stream_groups', id: expect.any(Number), default_stream_groups: [group] }],
      [],
    ]);
    expect(await groupsSeenBy(guest)).toEqual([]);
  });

  test('Sorts it among the others by name, and allows it to be empty', async () => {
    for (const name of ['b', 'A', 'a']) expect((await create(name)).status).toBe(200);
    const names = (await groupsSeenBy(ada)).map(({ name }) => name);
    expect(names).toEqual([...names].sort());
  });

  test('Makes it appear and disappear for a user whose role changes between guest and member', async () => {
    await createGroup((await newChannel()).name);
    const turning = await createUser(service, 'Turning');
    for (const role of [roles.guest, roles.member]) {
      await expectConsistentSnapshot(service, [turning, admin], () => service.setRole(turning.email, role));
      expect((await groupsSeenBy(turning)).length > 0).toBe(role === roles.member);
    }
  });
});

describe('Creating a default channel group is refused for', () => {
  test('A name that is blank, too long or taken', async () => {
    const { name } = await createGroup();
    expectRefusal(await create(name), `Default channel group '${name}' already exists`);
    expectRefusal(await create('  '), "Invalid default channel group name ''");
    expect((await create('x'.repeat(60))).status).toBe(200);
    const tooLong = 'Default channel group name too long (limit: 60 characters)';
    expectRefusal(await create('x'.repeat(61)), tooLong);
    const withNull = "Default channel group name 'a\0b' contains NULL (0x00) characters.";
    expectRefusal(await create('a\0b'), withNull);
  });

  test('A description that is too long, or more than 500 channels', async () => {
    const long = await create(groupName(), [], { description: 'x'.repeat(1025) });
    expectRefusal(long, 'description is too long (limit: 1024 characters)');
    const names = Array.from({ length: 501 }, (_, n) => `channel ${n}`);
    expectRefusal(await create(groupName(), names), 'stream_names names too many channels (maximum 500).');
  });

  test('A channel that is missing, archived, private, or a default channel', async () => {
    const [open, old, secret] = [
      await newChannel(),
      await newChannel(),
      await newChannel({ invite_only: true }),
    ];
    await archiveChannel(service, old);
    const common = await newDefaultChannel();
    const before = await groupsSeenBy(admin);
    const name = groupName();
    for (const [bad, msg] of [
      ['nowhere', "Invalid channel name 'nowhere'"],
      [old.name, `Invalid channel name '${old.name}'`],
      [secret.name, 'Private channels cannot be made default.'],
      [common.name, `'${common.name}' is a default channel and cannot be added to '${name}'`],
    ] as const)
      expectRefusal(await create(name, [open.name, bad]), msg);
    expect(await groupsSeenBy(admin)).toEqual(before);
  });

  test('The fifty-first group', async () => {
    for (const { id } of await groupsSeenBy(admin)) await remove(id);
    for (let n = 1; n <= 50; n++) expect((await create(groupName())).status).toBe(200);
    expectRefusal(await create(groupName()), 'There may be at most 50 default channel groups.');
    for (const { id } of await groupsSeenBy(admin)) await remove(id);
  });
});

describe('Editing a default channel group', () => {
  test('Changes its name and description', async () => {
    const group = await createGroup();
    const name = groupName();
    const seen = () => groupsSeenBy(ada);
    await expectConsistentSnapshot(service, [admin, ada], async () => {
      await edit(group.id, { new_group_name: name, new_description: 'Another one' });
      expect(await seen()).toContainEqual({ ...group, name, description: 'Another one' });
      await edit(group.id, { new_description: '' });
      expect(await seen()).toContainEqual({ ...group, name, description: '' });
    });
  });

  test('Sends no event if the description is the same', async () => {
    const { id, description } = await createGroup();
    const queue = await ada.listen();
    expect((await edit(id, { new_description: description })).status).toBe(200);
    expect(await queue.drain()).toEqual([]);
  });

  test('Fails for invalid names and names that the group or another one has', async () => {
    const [group, other] = [await createGroup(), await createGroup()];
    for (const [new_group_name, msg] of [
      [group.name, `This default channel group is already named '${group.name}'`],
      [other.name, `Default channel group '${other.name}' already exists`],
      [' ', "Invalid default channel group name ''"],
      ['x'.repeat(61), 'Default channel group name too long (limit: 60 characters)'],
    ] as const)
      expectRefusal(await edit(group.id, { new_group_name }), msg);
    expectRefusal(await edit(group.id, {}), 'You must pass "new_description" or "new_group_name".');
    expect(await groupsSeenBy(ada)).toContainEqual(group);
  });
});

describe('The channels of a default group', () => {
  test('Can be added and removed, which notifies all users except guests', async () => {
    const [first, second] = [await newChannel(), await newChannel()];
    const group = await createGroup(first.name);
    const streamsSeen = async () => (await groupsSeenBy(ada)).find(({ id }) => id === group.id)?.streams;
    await expectConsistentSnapshot(
      service,
      [admin, ada, guest],
      [
        async () => {
          await editChannels(group.id, 'add', [second.name]);
          expect(await streamsSeen()).toEqual([first.channelId, second.channelId]);
        },
        () => editChannels(group.id, 'remove', [first.name]),
      ],
    );
    expect(await streamsSeen()).toEqual([second.channelId]);
  });

  test('Stay without an event if the request names none', async () => {
    const group = await createGroup((await newChannel()).name);
    const queue = await ada.listen();
    for (const op of ['add', 'remove']) expect((await editChannels(group.id, op)).status).toBe(200);
    expect(await queue.drain()).toEqual([]);
    expect(await groupsSeenBy(ada)).toContainEqual(group);
  });

  test('Stay while a channel is archived, until it is unarchived', async () => {
    const channel = await newChannel();
    const group = await createGroup(channel.name);
    await archiveChannel(service, channel);
    await service.owner.patch(`/streams/${channel.channelId}`, { is_archived: false });
    expect(await groupsSeenBy(ada)).toContainEqual(group);
  });

  test('Stay if a request is refused for one of its channels or its operation', async () => {
    const [inside, outside, secret] = [
      await newChannel(),
      await newChannel(),
      await newChannel({ invite_only: true }),
    ];
    const common = await newDefaultChannel();
    const group = await createGroup(inside.name);
    for (const [op, names, msg] of [
      ['add', [outside.name, inside.name], `Channel '${inside.name}' is already present in`],
      ['remove', [inside.name, outside.name], `Channel '${outside.name}' is not present in`],
    ] as const)
      expectRefusal(
        await editChannels(group.id, op, [...names]),
        `${msg} default channel group '${group.name}'`,
      );
    for (const [name, msg] of [
      [common.name, `'${common.name}' is a default channel and cannot be added to '${group.name}'`],
      [secret.name, 'Private channels cannot be made default.'],
      ['nowhere', "Invalid channel name 'nowhere'"],
    ] as const)
      expectRefusal(await editChannels(group.id, 'add', [name]), msg);
    const unknown = await editChannels(group.id, 'set');
    expectRefusal(unknown, 'Invalid value for "op". Specify one of "add" or "remove".');
    expect(await groupsSeenBy(ada)).toContainEqual(group);
  });
});

test('A deleted group disappears, its channels stay, and its id is never used again', async () => {
  const { name, channelId } = await newChannel();
  const [gone, other] = [await createGroup(name), await createGroup(name)];
  await expectConsistentSnapshot(service, [admin, ada], () => remove(gone.id));
  const ids = (await groupsSeenBy(ada)).map(({ id }) => id);
  expect(ids).toContain(other.id);
  expect(ids).not.toContain(gone.id);
  expect((await ada.get(`/streams/${channelId}`)).status).toBe(200);
  await remove(other.id);
  expect((await createGroup()).id).toBeGreaterThan(other.id);
});

test('A group that was deleted or never existed is neither edited nor deleted', async () => {
  const { id: deleted } = await createGroup();
  await remove(deleted);
  for (const id of [deleted, 9_999])
    for (const reply of [
      await edit(id, { new_description: 'x' }),
      await editChannels(id, 'add'),
      await editChannels(id, 'remove'),
      await remove(id),
    ])
      expectRefusal(reply, `Default channel group with id '${id}' does not exist.`);
});
