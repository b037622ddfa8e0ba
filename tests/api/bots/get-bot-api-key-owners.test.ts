import { afterAll, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
afterAll(() => service.stop());

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
