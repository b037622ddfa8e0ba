import { afterAll, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { listenToStatuses, PALM, saying, statusOf } from './statuses.ts';

const service = await startTestService();
const administrator = await createUser(service, 'Administrator', roles.administrator);
const moderator = await createUser(service, 'Moderator', roles.moderator);
const member = await createUser(service, 'Member');
const guest = await createUser(service, 'Guest', roles.guest);
afterAll(() => service.stop());

const sayFor = (caller: Client, userId: unknown, params: object) =>
  caller.post(`/users/${userId}/status`, { ...params });

describe("Changing a user's status", () => {
  test('Works for administrators and owners, and notifies every user', async () => {
    const queue = await listenToStatuses(guest);
    for (const caller of [administrator, service.owner])
      expect((await sayFor(caller, member.userId, { status_text: `by ${caller.userId}` })).status).toBe(200);
    expect(await queue.drain()).toMatchObject([
      { user_id: member.userId, status_text: `by ${administrator.userId}` },
      { user_id: member.userId, status_text: `by ${service.owner.userId}` },
    ]);
    expect((await sayFor(administrator, service.owner.userId, { status_text: 'owner' })).status).toBe(200);
  });

  test('Fails for every other user', async () => {
    await saying(member, { status_text: 'mine', emoji_name: '' });
    for (const caller of [moderator, member, guest])
      expectRefusal(
        await sayFor(caller, member.userId, { status_text: 'not mine' }),
        'Must be an organization administrator',
        { code: 'UNAUTHORIZED_PRINCIPAL' },
      );
    expect(await statusOf(guest, member)).toEqual({ status_text: 'mine' });
  });

  test('Fails for missing users, bots and deactivated users', async () => {
    const gone = await createUser(service, 'Gone');
    await service.deactivate(gone);
    const bot = await createUser(service, 'Robot');
    await service.makeBot(bot, administrator);
    const call = (userId: unknown) => sayFor(administrator, userId, { status_text: 'x' });
    expectRefusal(await call(gone.userId), 'User is deactivated');
    for (const userId of [bot.userId, 999_999, 0, -1]) expectRefusal(await call(userId), 'No such user');
    expectRefusal(await call('member'), 'user_id is not valid JSON');
  });

  test('Requires the same parameters as the own status', async () => {
    const call = (params: object) => sayFor(administrator, member.userId, params);
    expectRefusal(await call({}), 'Client did not pass any new values.');
    expectRefusal(await call({ ...PALM, emoji_code: 'x' }), 'Invalid emoji code.');
    expectRefusal(
      await call({ status_text: 'x'.repeat(61) }),
      'status_text is too long (limit: 60 characters)',
    );
    const { body } = await call({ ...PALM, away: true });
    expect(body.ignored_parameters_unsupported).toEqual(['away']);
    expect(await statusOf(guest, member)).not.toHaveProperty('away');
  });

  test('Keeps snapshot and events equal', async () => {
    await expectConsistentSnapshot(service, [service.owner, member, guest], async () => {
      await sayFor(administrator, member.userId, { status_text: 'on leave', ...PALM });
      await sayFor(administrator, guest.userId, { status_text: '' });
    });
  });
});
