import { afterAll, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createBot } from './bots.ts';

const service = await startTestService();
const member = await createUser(service, 'Member');
const other = await createUser(service, 'Other');
afterAll(() => service.stop());

describe('The key of a bot', () => {
  test('Can be read by its owner and by administrators', async () => {
    const bot = await createBot(member);
    for (const by of [member, service.owner])
      expect((await by.get(`/bots/${bot.userId}/api_key`)).body.api_key).toBe(bot.apiKey);
    expectRefusal(await other.get(`/bots/${bot.userId}/api_key`), 'Insufficient permission');
    const guest = await service.createUser('Guest', roles.guest);
    for (const id of [bot.userId, 999_999])
      expectRefusal(await guest.get(`/bots/${id}/api_key`), 'No such bot');
    expectRefusal(
      await bot.get(`/bots/${bot.userId}/api_key`),
      'This endpoint does not accept bot requests.',
    );
  });

  test('Cannot be read for a person or a bot of the service', async () => {
    for (const id of [member.userId, other.userId, 1, 999_999])
      expectRefusal(await service.owner.get(`/bots/${id}/api_key`), 'No such bot');
  });
});
