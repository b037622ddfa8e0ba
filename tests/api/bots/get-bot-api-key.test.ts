import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createBot } from './bots.ts';

const service = await startTestService();
const member = await createUser(service, 'Member');
const other = await createUser(service, 'Other');

describe('The key of a bot', () => {
  test('Can be read by its owner and by administrators', async () => {
    const bot = await createBot(member);
    for (const by of [member, service.owner])
      expect((await by.get(`/bots/${bot.userId}/api_key`)).body.api_key).toBe(bot.apiKey);
    expectRefusal(await other.get(`/bots/${bot.userId}/api_key`), 'Insufficient permission');
    const guest = await service.createUser('Guest', roles.guest);
    for (const id of [bot.userId, 999_999])
      expectRefusal(await guest.get(`/bots/${id}/api_key`), 'No such bot');
  });
});

test('Administrators can neither read nor revoke the key of a bot with the role of owner', async () => {
  const { owner } = service;
  const administrator = await service.createUser('Admin', roles.administrator);
  const { body } = await owner.post('/bots', { full_name: 'Powerful', short_name: 'powerful' });
  await owner.patch(`/users/${body.user_id}`, { role: roles.owner });
  const calls = [
    administrator.get(`/bots/${body.user_id}/api_key`),
    administrator.post(`/bots/${body.user_id}/api_key/regenerate`),
    administrator.patch(`/bots/${body.user_id}`, { bot_owner_id: administrator.userId }),
    administrator.delete(`/bots/${body.user_id}`),
  ];
  for (const call of calls)
    expectRefusal(await call, 'Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' });
  expect((await owner.get(`/bots/${body.user_id}/api_key`)).status).toBe(200);
});
