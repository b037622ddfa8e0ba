import { describe, expect, test } from 'vitest';
import { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createBot, keep, shortName, storageOf } from './bots.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

const rename = (by: Client, bot: Client, short_name: string) =>
  by.patch(`/bots/${bot.userId}`, { short_name });
const addressOf = (name: string): string => `${name}-bot@${new URL(service.url).hostname}`;
/** The bot under another address, with the key that it has. */
const renamed = (bot: Client, name: string): Client =>
  new Client(bot.url, { userId: bot.userId, email: addressOf(name), apiKey: bot.apiKey });

describe('The short name of a bot', () => {
  test('Changes its address: every user is notified, and its key works only with the new address', async () => {
    const [bot, name] = [await createBot(ada), shortName()];
    await keep(bot, { turn: '1' });
    await expectConsistentSnapshot(service, [service.owner, ada, bo, guest], async () => {
      expect((await rename(ada, bot, ` ${name} `)).status).toBe(200);
    });
    const { body } = await bo.get(`/users/${bot.userId}`);
    expect(body.user.email).toBe(addressOf(name));
    expect(await storageOf(renamed(bot, name))).toEqual({ turn: '1' });
    expect((await bot.get('/users/me')).status).toBe(401);
  });

  test('Becomes available to another bot after a change', async () => {
    const name = shortName();
    const bot = await createBot(ada, { short_name: name });
    await rename(ada, bot, shortName());
    expect((await createBot(bo, { short_name: name })).userId).not.toBe(bot.userId);
  });

  test('May be set to the same value, which sends no event', async () => {
    const name = shortName();
    const bot = await createBot(ada, { short_name: name });
    const queue = await bo.listen();
    expect((await rename(ada, bot, name)).status).toBe(200);
    expect(await queue.drain()).toEqual([]);
  });

  test('May change its letter case', async () => {
    const name = shortName();
    const bot = await createBot(ada, { short_name: name });
    await expectConsistentSnapshot(service, [ada, bo], async () => {
      expect((await rename(ada, bot, name.toUpperCase())).status).toBe(200);
    });
    expect((await renamed(bot, name.toUpperCase()).get('/users/me')).status).toBe(200);
  });

  test('Goes to one bot if two bots request it at once', async () => {
    const [one, other, name] = [await createBot(ada), await createBot(ada), shortName()];
    const replies = await Promise.all([rename(ada, one, name), rename(ada, other, name)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    for (const { status, body } of replies)
      if (status === 400) expect(body.msg).toBe('Username already in use');
  });

  test('Cannot be taken or invalid: the edit is refused and changes nothing', async () => {
    const name = shortName();
    await createBot(bo, { short_name: name });
    const bot = await createBot(ada);
    const refuse = async (short_name: string, msg: string) => {
      const full_name = 'Not renamed';
      expectRefusal(await ada.patch(`/bots/${bot.userId}`, { short_name, full_name }), msg);
    };
    for (const taken of [name, name.toUpperCase()]) await refuse(taken, 'Username already in use');
    for (const bad of ['', '  ', 'two words', 'at@sign', 'x'.repeat(400)])
      await refuse(bad, 'Bad name or username');
    const { body } = await bo.get(`/users/${bot.userId}`);
    expect(body.user).toMatchObject({ email: bot.email, full_name: 'Helper' });
  });
});
