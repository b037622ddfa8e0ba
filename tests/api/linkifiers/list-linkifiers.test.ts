import { expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { listed, made } from './linkifier-calls.ts';

const service = await startTestService();

test('Every user may list the linkifiers, bots and guests included', async () => {
  const guest = await createUser(service, 'Guest', roles.guest);
  const bot = await createUser(service, 'Robot');
  await service.makeBot(bot, service.owner);
  expect(await listed(guest)).toEqual([]);
  const id = await made(service.owner);
  for (const client of [service.owner, guest, bot]) expect(await listed(client)).toMatchObject([{ id }]);
});
