// The operations listBots, getBotApiKey, regenerateBotApiKey, getBotWebhook and deactivateBot.
import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { Client, type Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createBot, editBot } from './bots.ts';

const service = await startTestService();
const { owner } = service;
const [member, other] = await createUsers(service, 'Member', 'Other');
const guest = await createUser(service, 'Guest', roles.guest);

const getKey = (by: Client, userId: number): Promise<Reply> => by.get(`/bots/${userId}/api_key`);
const regenerate = (by: Client, userId: number) => by.post(`/bots/${userId}/api_key/regenerate`);
const deactivate = (by: Client, userId: number): Promise<Reply> => by.delete(`/bots/${userId}`);
const getWebhook = (by: Client, userId: number): Promise<Reply> => by.get(`/bots/${userId}/webhook`);
const isActive = async ({ userId }: Client) => (await member.get(`/users/${userId}`)).body.user.is_active;

test('The list of bots has the active bots of the caller, with keys that work', async () => {
  await createBot(other);
  const [kept, gone] = [await createBot(member), await createBot(member)];
  await deactivate(member, gone.userId);
  expect((await member.get('/bots')).body.bots).toEqual([
    {
      username: kept.email,
      full_name: 'Helper',
      api_key: kept.apiKey,
      avatar_url: expect.stringMatching(/^\/user_avatars\/j\d+\.png$/),
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
    },
  ]);
  expect((await owner.get('/bots')).body.bots).toEqual([]);
});

describe.each([
  ['Reading the key', getKey],
  ['Regenerating the key', regenerate],
  ['Deactivating', deactivate],
])('%s of a bot', (_what, call) => {
  test('Fails for others, and for users who are no bots', async () => {
    const bot = await createBot(member);
    expectRefusal(await call(other, bot.userId), 'Insufficient permission');
    for (const id of [bot.userId, 999_999]) expectRefusal(await call(guest, id), 'No such bot');
    for (const id of [other.userId, 1, 2, 3, 999_999]) expectRefusal(await call(owner, id), 'No such bot');
    expect((await bot.get('/users/me')).status).toBe(200);
    expect(await isActive(bot)).toBe(true);
  });
});

test('Administrators cannot change a bot with the role of owner, nor read its key', async () => {
  const administrator = await service.createUser('Admin', roles.administrator);
  const bot = await createBot(owner);
  await owner.patch(`/users/${bot.userId}`, { role: roles.owner });
  const steal = (by: Client) => editBot(by, bot, { bot_owner_id: by.userId });
  for (const call of [getKey, regenerate, deactivate, steal])
    expectRefusal(await call(administrator, bot.userId), 'Must be an organization owner', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
  expect((await getKey(owner, bot.userId)).status).toBe(200);
});

test('The owner of a bot and administrators read its key', async () => {
  const bot = await createBot(member);
  for (const by of [member, owner]) expect((await getKey(by, bot.userId)).body.api_key).toBe(bot.apiKey);
});

test('Regenerating the key of a bot invalidates the old key', async () => {
  for (const by of [member, owner]) {
    const bot = await createBot(member);
    const { body } = await regenerate(by, bot.userId);
    expect(body.api_key).not.toBe(bot.apiKey);
    expectRefusal(await bot.get('/users/me'), 'Invalid API key', { status: 401, code: 'INVALID_API_KEY' });
    const renewed = new Client(service.url, { ...bot, apiKey: body.api_key });
    expect((await renewed.get('/users/me')).body.user_id).toBe(bot.userId);
  }
});

test('Deactivating a bot succeeds for its owner and for administrators, and notifies every user', async () => {
  for (const by of [member, owner]) {
    const bot = await createBot(member);
    await createChannel(service, [member, bot]);
    await expectConsistentSnapshot(service, [owner, member, other, guest], async () => {
      const { status, body } = await deactivate(by, bot.userId);
      expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
    });
    expect(await isActive(bot)).toBe(false);
    const refused = { status: 401, code: 'USER_DEACTIVATED' };
    expectRefusal(await bot.get('/users/me'), 'Account is deactivated', refused);
    expect((await deactivate(by, bot.userId)).status).toBe(200);
  }
});

describe('The webhook of a bot', () => {
  test('Has its values for its owner and administrators only', async () => {
    const values = { service_name: 'gitlab', config_data: { webhook_secret: 'x' } };
    const bot = await createBot(member, { bot_type: 2, ...values });
    const config_options = [{ key: 'webhook_secret', label: expect.any(String) }];
    const { body } = await getWebhook(member, bot.userId);
    expect(body).toMatchObject({ ...values, config_options, deliveries: [] });
    expect((await getWebhook(owner, bot.userId)).body).toMatchObject(values);
    expect((await getWebhook(other, bot.userId)).status).toBe(400);
  });

  test('Gets further values from edits, and an empty text removes one', async () => {
    const bot = await createBot(member, { bot_type: 2, service_name: 'custom' });
    const keep = (config_data: object) => editBot(member, bot, { config_data });
    await keep({ topic_template: '{{a}}', content_template: '{{b}}' });
    await keep({ topic_template: '' });
    const { body } = await getWebhook(member, bot.userId);
    expect(body.config_data).toEqual({ content_template: '{{b}}' });
    expect((await keep({ content_template: 'x'.repeat(10_000) })).status).toBe(400);
  });

  test('Names no integration if the bot was created without one', async () => {
    const { body } = await getWebhook(member, (await createBot(member)).userId);
    expect(body).toMatchObject({ service_name: null, config_data: {}, deliveries: [] });
  });
});
