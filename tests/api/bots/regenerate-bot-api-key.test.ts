import { describe, expect, test } from 'vitest';
import { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createBot } from './bots.ts';

const service = await startTestService();
const member = await createUser(service, 'Member');
const other = await createUser(service, 'Other');

const regenerate = (by: Client, { userId }: Client) => by.post(`/bots/${userId}/api_key/regenerate`);

describe('Regenerating the key of a bot', () => {
  test('Invalidates the old key', async () => {
    for (const by of [member, service.owner]) {
      const bot = await createBot(member);
      const { body } = await regenerate(by, bot);
      expect(body.api_key).not.toBe(bot.apiKey);
      expectRefusal(await bot.get('/users/me'), 'Invalid API key', { status: 401, code: 'INVALID_API_KEY' });
      const renewed = new Client(service.url, { ...bot, apiKey: body.api_key });
      expect((await renewed.get('/users/me')).body.user_id).toBe(bot.userId);
    }
  });

  test('Fails for others, and for a user who is no bot', async () => {
    const bot = await createBot(member);
    expectRefusal(await regenerate(other, bot), 'Insufficient permission');
    expectRefusal(await regenerate(service.owner, member), 'No such bot');
    expect((await bot.get('/users/me')).status).toBe(200);
  });
});
