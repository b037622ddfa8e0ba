import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createBot } from './bots.ts';

const service = await startTestService();
const member = await createUser(service, 'Member');
const other = await createUser(service, 'Other');
const guest = await createUser(service, 'Guest', roles.guest);

const isActive = async ({ userId }: Client) => (await member.get(`/users/${userId}`)).body.user.is_active;

describe('Deactivating a bot', () => {
  test('Succeeds for its owner and for administrators, and notifies every user', async () => {
    for (const by of [member, service.owner]) {
      const bot = await createBot(member);
      await createChannel(service, [member, bot]);
      await expectConsistentSnapshot(service, [service.owner, member, other, guest], async () => {
        const { status, body } = await by.delete(`/bots/${bot.userId}`);
        expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
      });
      expect(await isActive(bot)).toBe(false);
      expectRefusal(await bot.get('/users/me'), 'Account is deactivated', {
        status: 401,
        code: 'USER_DEACTIVATED',
      });
      expect((await by.delete(`/bots/${bot.userId}`)).status).toBe(200);
    }
  });

  test('Fails for others, and for a user who is no bot', async () => {
    const bot = await createBot(member);
    for (const by of [other, bot])
      expectRefusal(await by.delete(`/bots/${bot.userId}`), 'Insufficient permission');
    for (const id of [bot.userId, 999_999]) expectRefusal(await guest.delete(`/bots/${id}`), 'No such bot');
    for (const id of [other.userId, 1, 2, 3, 999_999])
      expectRefusal(await service.owner.delete(`/bots/${id}`), 'No such bot');
    expect(await isActive(bot)).toBe(true);
  });
});
