import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();
const administrator = await createUser(service, 'Administrator', roles.administrator);
const moderator = await createUser(service, 'Moderator', roles.moderator);
const member = await createUser(service, 'Member');
const guest = await createUser(service, 'Guest', roles.guest);
const target = await createUser(service, 'Target');

const edit = (by: Client, who: Client | string | number, params: Params) =>
  by.patch(`/users/${encodeURIComponent(typeof who === 'object' ? who.userId : who)}`, params);
const recordOf = async ({ userId }: Client) => (await service.owner.get(`/users/${userId}`)).body.user;
const everyone = () => [service.owner, administrator, member, guest, target];

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
      expectRefusal(
        await service.owner.patch(`/users/${encodeURIComponent(who)}`, { full_name: 'Xy' }),
        'No such user',
      );
    },
  );

  test('Does not apply to the bots of the service', async () => {
    for (const id of [1, 2, 3])
      expectRefusal(await edit(service.owner, id, { full_name: 'Mine' }), 'No such user');
  });

  test('Applies to bots and deactivated users', async () => {
    const bot = await createUser(service, 'Machine');
    await service.makeBot(bot, administrator);
    const gone = await createUser(service, 'Gone');
    await service.deactivate(gone);
    await expectConsistentSnapshot(service, everyone(), async () => {
      for (const one of [bot, gone]) {
        const { status } = await edit(administrator, one, { full_name: 'Other', role: roles.moderator });
        expect(status).toBe(200);
      }
    });
    expect(await recordOf(gone)).toMatchObject({ full_name: 'Other', role: 300, is_active: false });
    expect(await recordOf(bot)).toMatchObject({ full_name: 'Other', role: 300, is_bot: true });
  });
});

describe('full_name', () => {
  test('Changes with an event, and stays for the same name', proves('edit-user.7'), async () => {
    await expectConsistentSnapshot(service, everyone(), () =>
      edit(administrator, target, { full_name: '  New Name ' }),
    );
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
    const people = body.messages[1].display_recipient.map((one: { full_name: string }) => one.full_name);
    expect(people).toContain('After');
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
    expectRefusal(await edit(service.owner, target, { full_name: 'Not This', ...params }), msg);
    expect(await recordOf(target)).toEqual(before);
  });

  test('Ignores empty requests and lists unknown parameters', proves('edit-user.2'), async () => {
    const before = await recordOf(target);
    const { status, body } = await edit(administrator, target, { surprise: 1 });
    expect([status, body.ignored_parameters_unsupported]).toEqual([200, ['surprise']]);
    expect(await recordOf(target)).toEqual(before);
  });
});
