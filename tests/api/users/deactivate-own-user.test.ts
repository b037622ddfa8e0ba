import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();
const member = await createUser(service, 'Member');
const guest = await createUser(service, 'Guest', roles.guest);

const isActive = async ({ userId }: Client) => (await member.get(`/users/${userId}`)).body.user.is_active;

describe('Deactivating oneself', () => {
  test.each([roles.guest, roles.administrator])('Works for every role: %i', async (role) => {
    const one = await createUser(service, 'Leaver', role);
    const bot = await createUser(service, 'Robot');
    await service.makeBot(bot, one);
    await createChannel(service, [member, one, guest]);
    await expectConsistentSnapshot(service, [service.owner, member, guest], async () => {
      const { status, body } = await one.delete('/users/me');
      expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
    });
    expect([await isActive(one), await isActive(bot)]).toEqual([false, false]);
    expectRefusal(await one.get('/users/me'), 'Account is deactivated', {
      status: 401,
      code: 'USER_DEACTIVATED',
    });
  });

  test('Fails for the only owner, and for one of two who do it at once', async () => {
    const refusal = {
      code: 'CANNOT_DEACTIVATE_LAST_USER',
      is_last_owner: true,
      entity: 'organization owner',
    };
    const msg = 'Cannot deactivate the only organization owner.';
    expectRefusal(await service.owner.delete('/users/me'), msg, refusal);
    const second = await createUser(service, 'Second', roles.owner);
    const replies = await Promise.all([service.owner, second].map((one) => one.delete('/users/me')));
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(1);
    expectRefusal(refused[0]!, msg, refusal);
    expect([await isActive(service.owner), await isActive(second)].sort()).toEqual([false, true]);
  });
});
