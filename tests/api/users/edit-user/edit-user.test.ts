import { describe, expect, test } from 'vitest';
import { identityWrite } from '#shared/domain/users/identity.ts';
import { emailVisibilities, roles } from '#shared/domain/users/user.ts';
import { newest, term } from '#tests/api/messages/lists/message-lists.ts';
import { createRoles, userAs } from '#tests/api/users/accounts.ts';
import { showAddressTo } from '#tests/api/users/addresses.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';

const service = await startTestService({}, { ownerMayChangeEmails: true });
const { owner, administrator, moderator, member, guest } = await createRoles(service);
const target = await createUser(service, 'Target');

const edit = (by: Client, who: Client | string | number, params: Params) =>
  by.patch(`/users/${encodeURIComponent(typeof who === 'object' ? who.userId : who)}`, params);
const recordOf = (user: Client) => userAs(owner, user);
const everyone = () => [owner, administrator, member, guest, target];

describe('The right to change a user', () => {
  test(
    'Belongs to an administrator, by id and by address in any letter case',
    proves('edit-user.1', 'edit-user.3', 'edit-user.6'),
    async () => {
      for (const who of [target.userId, target.email, target.email.toUpperCase(), ` ${target.email} `]) {
        const { status, body } = await edit(administrator, who, { full_name: `Named ${String(who).length}` });
        expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
        expect((await recordOf(target)).full_name).toBe(`Named ${String(who).length}`);
      }
    },
  );

  test('Belongs to no other user, and users look like unknown ones', proves('edit-user.4'), async () => {
    for (const by of [moderator, member, guest, target])
      for (const who of [target.userId, target.email, 999_999, 'nobody@example.com', by.userId])
        expectRefusal(await edit(by, who, { full_name: 'Changed' }), 'Insufficient permission');
  });

  test.each(['999999', '-1', 'nobody@example.com', '%00'])(
    'Excludes the id %s',
    proves('edit-user.6'),
    async (who) => {
      expectRefusal(await edit(owner, who, { full_name: 'Xy' }), 'No such user');
    },
  );

  test('Does not apply to the bots of the service', async () => {
    for (const id of [1, 2, 3]) expectRefusal(await edit(owner, id, { full_name: 'Mine' }), 'No such user');
  });

  test('Applies to bots and deactivated users', async () => {
    const bot = await createUser(service, 'Machine');
    await service.makeBot(bot, administrator);
    const gone = await createUser(service, 'Gone');
    await service.deactivate(gone);
    const params = { full_name: 'Other', role: roles.moderator };
    await expectConsistentSnapshot(service, everyone(), async () => {
      for (const user of [bot, gone]) expect((await edit(administrator, user, params)).status).toBe(200);
    });
    expect(await recordOf(gone)).toMatchObject({ full_name: 'Other', role: 300, is_active: false });
    expect(await recordOf(bot)).toMatchObject({ full_name: 'Other', role: 300, is_bot: true });
  });
});

describe('full_name', () => {
  test('Changes with an event, and stays for the same name', proves('edit-user.7'), async () => {
    const renamed = { full_name: '  New Name ' };
    await expectConsistentSnapshot(service, everyone(), () => edit(administrator, target, renamed));
    const queue = await guest.listen();
    for (const full_name of ['New Name', '', '   ', '\t\n'])
      expect((await edit(administrator, target, { full_name })).status).toBe(200);
    expect(await queue.drain()).toEqual([]);
    await edit(administrator, target, { full_name: 'Newest Name' });
    expect(await queue.drain()).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id: target.userId, full_name: 'Newest Name' } },
    ]);
  });

  test.each([
    ['x', 'Name too short!'],
    ['x'.repeat(101), 'Name too long!'],
    ['a*b', 'Invalid characters in name!'],
    ['Ada|12', 'Invalid format!'],
  ])('Cannot be %j', proves('edit-user.7'), async (full_name, msg) => {
    const before = await recordOf(target);
    expectRefusal(await edit(administrator, target, { full_name, role: 300 }), msg);
    expect(await recordOf(target)).toEqual(before);
  });

  test('May have 100 characters, and be another user’s unless names must be unique', async () => {
    const full_name = '😀'.repeat(100);
    for (const who of [target, member]) {
      await edit(administrator, who, { full_name });
      expect((await recordOf(who)).full_name).toBe(full_name);
    }
    await edit(administrator, member, { full_name: 'Member' });
  });

  test('Appears in messages that were sent before, in channels and directly', async () => {
    await edit(administrator, target, { full_name: 'Before' });
    const channelId = await target.subscribe('naming', { principals: [target.userId, member.userId] });
    const posted = await target.send(channelId, 'topic', 'hello');
    const direct = await target.sendDirect([member.userId], 'hello');
    await edit(administrator, target, { full_name: 'After' });
    const { body } = await member.get('/messages', { message_ids: [posted, direct] });
    for (const message of body.messages) expect(message.sender_full_name).toBe('After');
    expect(body.messages[1].display_recipient).toContainEqual(
      expect.objectContaining({ full_name: 'After' }),
    );
    expect((await member.get(`/messages/${posted}`)).body.message.sender_full_name).toBe('After');
  });
});

describe('An invalid edit of a user', () => {
  test.each([
    [{ role: '"400"' }, 'role is not an integer'],
    [{ role: 500 }, 'Invalid role'],
    [{ role: 0 }, 'Invalid role'],
  ])('With %j is refused and changes nothing', proves('edit-user.8', 'edit-user.16'), async (params, msg) => {
    const before = await recordOf(target);
    expectRefusal(await edit(owner, target, { full_name: 'Not This', ...params }), msg);
    expect(await recordOf(target)).toEqual(before);
  });

  test('Ignores empty requests and lists unknown parameters', proves('edit-user.2'), async () => {
    const before = await recordOf(target);
    const { status, body } = await edit(administrator, target, { surprise: 1 });
    expect([status, body.ignored_parameters_unsupported]).toEqual([200, ['surprise']]);
    expect(await recordOf(target)).toEqual(before);
  });
});

const fieldOf = async (params: Params): Promise<number> =>
  (await owner.post('/realm/profile_fields', params)).body.id;
const textField = await fieldOf({ name: 'Motto', field_type: 1, editable_by_user: false });
const userField = await fieldOf({ name: 'Mentors', field_type: 6 });
const profileOf = async ({ userId }: Client) => {
  const params = { include_custom_profile_fields: true };
  return (await guest.get(`/users/${userId}`, params)).body.user.profile_data;
};

describe('profile_data', () => {
  test('Sends an event to every user for each field', proves('edit-user.11', 'edit-user.12'), async () => {
    const profile_data = [
      { id: textField, value: 'Onward' },
      { id: userField, value: [administrator.userId] },
    ];
    await expectConsistentSnapshot(service, [owner, administrator, member, guest], async () => {
      expect((await edit(administrator, member, { profile_data })).status).toBe(200);
    });
    expect((await profileOf(member))[textField].value).toBe('Onward');
  });

  test('Removes a value by null, an empty text and an empty list', proves('edit-user.12'), async () => {
    for (const value of [null, '', []]) {
      await edit(administrator, member, { profile_data: [{ id: userField, value: [guest.userId] }] });
      expect(await profileOf(member)).toHaveProperty(String(userField));
      const emptied = { profile_data: [{ id: userField, value }] };
      await expectConsistentSnapshot(service, [member, guest], () => edit(administrator, member, emptied));
      expect(await profileOf(member)).not.toHaveProperty(String(userField));
    }
  });

  test('Changes together with name, role and address, or not at all', async () => {
    const person = await createUser(service, 'Whole');
    const profile_data = [{ id: textField, value: 'All of it' }];
    const all = { full_name: 'All Of It', role: roles.moderator, new_email: 'all@example.org', profile_data };
    await expectConsistentSnapshot(service, [owner, administrator, guest], async () => {
      expect((await edit(owner, person, all)).status).toBe(200);
    });
    expect((await profileOf(person))[textField].value).toBe('All of it');
    const before = await recordOf(person);
    const wrong = { full_name: 'Not This', profile_data: [{ id: 999, value: 'x' }] };
    expectRefusal(await edit(owner, person, wrong), 'Field id 999 not found.');
    expect(await recordOf(person)).toEqual(before);
  });
});

const costOf = (work: () => Promise<unknown>) => unitsOf(service, work);

describe('The capacity of changing a user', () => {
  test('Costs in write units 9 for a name, 9 for a role, 11 for an address, 9 for its visibility', async () => {
    const user = await createUser(service, 'Member');
    const edit = (params: Params) => owner.patch(`/users/${user.userId}`, params);
    expect((await costOf(() => edit({ full_name: 'Another Name' }))).write).toBeLessThanOrEqual(9);
    expect((await costOf(() => edit({ role: roles.moderator }))).write).toBeLessThanOrEqual(9);
    const hiding = () => showAddressTo(user, emailVisibilities.nobody);
    expect((await costOf(hiding)).write).toBeLessThanOrEqual(9);
    expect((await costOf(() => edit({ new_email: 'other@example.org' }))).write).toBeLessThanOrEqual(11);
  });
});

describe('A page of 100 messages', () => {
  test('Costs at most 5 read units more if every one of 256 users was renamed since', async () => {
    const [second, third] = await createUsers(service, 'Second', 'Third');
    const { channelId } = await createChannel(service, [owner, second, third]);
    for (let n = 0; n < 100; n++)
      await [owner, second, third][n % 3]?.send(channelId, 'topic', `${n} `.padEnd(200, 'x'));
    const read = () => owner.get('/messages', { ...newest, narrow: [term('channel', channelId)] });
    await read();
    const before = await costOf(read);
    const renamed = (userId: number) =>
      identityWrite({
        userId,
        email: `somebody.with.a.long.address.${userId}@example.com`,
        fullName: `Somebody With Rather A Long Name ${userId}`,
        avatarVersion: 2,
      });
    for (let userId = 0; userId < 256; userId++) await service.services.table.write(renamed(userId));
    const { body } = await read();
    expect(body.messages[0].sender_full_name).toMatch(/^Somebody With/);
    const after = await costOf(read);
    expect(after.read - before.read).toBeLessThanOrEqual(5);
  });
});

test('A new account without a sign-up notice costs 9 read and 24 write units, its welcome included', async () => {
  const newcomer = { email: 'newcomer@example.com', password: PASSWORD, full_name: 'Newcomer' };
  const { read, write } = await costOf(async () => {
    expect((await owner.post('/users', newcomer)).status).toBe(200);
    await service.settle();
  });
  expect(read).toBeLessThanOrEqual(9);
  expect(write).toBeLessThanOrEqual(24);
});
