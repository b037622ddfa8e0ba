import { expect, test } from 'vitest';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createBot } from './bots.ts';

const service = await startTestService();
const [member, other] = await createUsers(service, 'Member', 'Other');

test('GET /bots/{bot_id}/webhook returns the values of the bot to its owner and administrators only', async () => {
  const params = { bot_type: 2, service_name: 'gitlab', config_data: { webhook_secret: 'x' } };
  const bot = await createBot(member, params);
  const path = `/bots/${bot.userId}/webhook`;
  const { body } = await member.get(path);
  expect(body).toMatchObject({
    service_name: 'gitlab',
    config_data: { webhook_secret: 'x' },
    config_options: [{ key: 'webhook_secret', label: expect.any(String) }],
    deliveries: [],
  });
  expect((await service.owner.get(path)).body.config_data).toEqual({ webhook_secret: 'x' });
  expect((await other.get(path)).status).toBe(400);
});

test('PATCH /bots/{bot_id} adds to the values of the bot, and an empty text removes one', async () => {
  const bot = await createBot(member, { bot_type: 2, service_name: 'custom' });
  const keep = (config_data: object) => member.patch(`/bots/${bot.userId}`, { config_data });
  await keep({ topic_template: '{{a}}', content_template: '{{b}}' });
  await keep({ topic_template: '' });
  const { body } = await member.get(`/bots/${bot.userId}/webhook`);
  expect(body.config_data).toEqual({ content_template: '{{b}}' });
  expect((await keep({ content_template: 'x'.repeat(10_000) })).status).toBe(400);
});

test('GET /bots/{bot_id}/webhook returns no integration for a bot that was created without one', async () => {
  const bot = await createBot(member);
  const { body } = await member.get(`/bots/${bot.userId}/webhook`);
  expect(body).toMatchObject({ service_name: null, config_data: {}, deliveries: [] });
});
