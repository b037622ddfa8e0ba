import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { archiveChannel, createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { create, createGroup, groupName, groupsSeenBy, remove } from './groups.ts';

const service = await startTestService();
const admin = await createUser(service, 'Admin', roles.administrator);
const [ada] = await createUsers(service, 'Ada');
const guest = await createUser(service, 'Guest', roles.guest);

describe('Creating a default channel group', () => {
  test('Sends it to all users except guests, by name and with the ids of its channels', async () => {
    const [second, first] = [await createChannel(service, [ada]), await createChannel(service, [ada])];
    const queues = await Promise.all(
      [ada, guest].map((client) => client.listen({ event_types: ['default_stream_groups'] })),
    );
    await expectConsistentSnapshot(service, [admin, ada, guest], async () => {
      const { status, body } = await create(admin, ' Kiln ', [first.name.toUpperCase(), ` ${second.name} `]);
      expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
    });
    const seen = await groupsSeenBy(ada);
    expect(seen).toEqual([
      {
        id: expect.any(Number),
        name: 'Kiln',
        description: 'For newcomers',
        streams: [second.channelId, first.channelId].sort((a, b) => a - b),
      },
    ]);
    expect(await Promise.all(queues.map((queue) => queue.drain()))).toEqual([
      [{ type: 'default_stream_groups', id: expect.any(Number), default_stream_groups: seen }],
      [],
    ]);
    expect(await groupsSeenBy(guest)).toEqual([]);
  });

  test('Sorts it among the others by name, and allows it to be empty', async () => {
    for (const name of ['b', 'A', 'a']) expect((await create(admin, name, [])).status).toBe(200);
    const names = (await groupsSeenBy(ada)).map(({ name }) => name);
    expect(names).toEqual([...names].sort());
  });

  test('Makes it appear and disappear for a user whose role changes between guest and member', async () => {
    await createGroup(admin, [(await createChannel(service, [ada])).name]);
    const turning = await createUser(service, 'Turning');
    for (const role of [roles.guest, roles.member]) {
      await expectConsistentSnapshot(service, [turning, admin], () =>
        service.owner.patch(`/users/${turning.userId}`, { role }),
      );
      expect((await groupsSeenBy(turning)).length > 0).toBe(role === roles.member);
    }
  });
});

describe('Creating a default channel group is refused for', () => {
  test('A name that is blank, too long or taken', async () => {
    const name = groupName();
    await create(admin, name, []);
    expectRefusal(await create(admin, name, []), `Default channel group '${name}' already exists`);
    expectRefusal(await create(admin, '  ', []), "Invalid default channel group name ''");
    expect((await create(admin, 'x'.repeat(60), [])).status).toBe(200);
    expectRefusal(
      await create(admin, 'x'.repeat(61), []),
      'Default channel group name too long (limit: 60 characters)',
    );
    expectRefusal(
      await create(admin, 'a\0b', []),
      "Default channel group name 'a\0b' contains NULL (0x00) characters.",
    );
  });

  test('A description that is too long', async () => {
    expectRefusal(
      await create(admin, groupName(), [], { description: 'x'.repeat(1025) }),
      'description is too long (limit: 1024 characters)',
    );
  });

  test('A channel that is missing, archived, private, or a default channel', async () => {
    const [open, old, secret, common] = [
      await createChannel(service, [admin]),
      await createChannel(service, [admin]),
      await createChannel(service, [admin], { invite_only: true }),
      await createChannel(service, [admin]),
    ];
    await archiveChannel(service, old);
    await admin.post('/default_streams', { stream_id: common.channelId });
    const before = await groupsSeenBy(admin);
    const name = groupName();
    for (const bad of ['nowhere', old.name])
      expectRefusal(await create(admin, name, [open.name, bad]), `Invalid channel name '${bad}'`);
    expectRefusal(await create(admin, name, [secret.name]), 'Private channels cannot be made default.');
    expectRefusal(
      await create(admin, name, [open.name, common.name]),
      `'${common.name}' is a default channel and cannot be added to '${name}'`,
    );
    expect(await groupsSeenBy(admin)).toEqual(before);
  });

  test('More than 500 channels', async () => {
    const many = Array.from({ length: 501 }, (_, n) => `channel ${n}`);
    expectRefusal(
      await create(admin, groupName(), many),
      'stream_names names too many channels (maximum 500).',
    );
  });

  test('The fifty-first group', async () => {
    for (const { id } of await groupsSeenBy(admin)) await remove(admin, id);
    for (let n = 1; n <= 50; n++) expect((await create(admin, groupName(), [])).status).toBe(200);
    expectRefusal(await create(admin, groupName(), []), 'There may be at most 50 default channel groups.');
  });
});
