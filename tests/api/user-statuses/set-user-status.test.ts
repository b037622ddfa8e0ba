import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { listenToStatuses, PALM, statusOf } from './statuses.ts';

const service = await startTestService();
const administrator = await createUser(service, 'Administrator', roles.administrator);
const member = await createUser(service, 'Member');
const guest = await createUser(service, 'Guest', roles.guest);

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

  test('Fails for missing users, bots and deactivated users', async () => {
    const gone = await createUser(service, 'Gone');
    await service.deactivate(gone);
    const bot = await createUser(service, 'Robot');
    await service.makeBot(bot, administrator);
    const call = (userId: unknown) => sayFor(administrator, userId, { status_text: 'x' });
    expectRefusal(await call(gone.userId), 'User is deactivated');
    for (const userId of [bot.userId, 999_999, 0, -1]) expectRefusal(await call(userId), 'No such user');
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
});
