import { describe, expect, test } from 'vitest';
import { MAX_STORAGE_CHARACTERS } from '#shared/domain/users/bot-storage.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createBot, keep, storageOf } from './bots.ts';

const service = await startTestService();
const bot = await createBot(service.owner);

describe('Deleting stored texts of a bot', () => {
  test('Removes the named keys', async () => {
    await keep(bot, { a: '1', b: '2', c: '3' });
    const { status, body } = await bot.delete('/bot_storage', { keys: ['a', 'c', 'a'] });
    expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
    expect(await storageOf(bot)).toEqual({ b: '2' });
  });

  test.each([[undefined], [[]]])('Removes all keys if %j are named, even if there are none', async (keys) => {
    await keep(bot, { a: '1', b: '2' });
    for (let time = 1; time <= 2; time++)
      expect((await bot.delete('/bot_storage', keys && { keys })).status).toBe(200);
    expect(await storageOf(bot)).toEqual({});
  });

  test('Removes nothing if one of the keys holds nothing', async () => {
    await keep(bot, { a: '1' });
    expectRefusal(await bot.delete('/bot_storage', { keys: ['a', 'missing'] }), 'Key does not exist.');
    expect(await storageOf(bot)).toEqual({ a: '1' });
  });

  test('Frees room in the quota', async () => {
    const full = await createBot(service.owner);
    await keep(full, { a: 'x'.repeat(MAX_STORAGE_CHARACTERS - 1) });
    expect((await keep(full, { b: '1' })).status).toBe(400);
    await full.delete('/bot_storage', { keys: ['a'] });
    expect((await keep(full, { b: '1' })).status).toBe(200);
  });
});
