import { describe, expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createBot, keep } from './bots.ts';

const service = await startTestService();
const bot = await createBot(service.owner);
await keep(bot, { turn: '4', name: 'Ada', empty: '' });

describe('Reading stored texts of a bot', () => {
  test('Returns the requested keys', async () => {
    const { status, body } = await bot.get('/bot_storage', { keys: ['name', 'empty', 'name'] });
    expect([status, body.storage]).toEqual([200, { name: 'Ada', empty: '' }]);
  });

  test.each([[undefined], [[]]])('Returns all keys if %j are requested', async (keys) => {
    const { body } = await bot.get('/bot_storage', keys && { keys });
    expect(body.storage).toEqual({ turn: '4', name: 'Ada', empty: '' });
  });

  test('Returns nothing before anything was stored', async () => {
    const fresh = await createBot(service.owner);
    expect((await fresh.get('/bot_storage')).body.storage).toEqual({});
    expectRefusal(await fresh.get('/bot_storage', { keys: ['turn'] }), 'Key does not exist.');
  });

  test.each([[['turn', 'missing']], [['constructor']], [['Turn']], [['']]])(
    'Refuses keys that hold nothing: %j',
    async (keys) => {
      expectRefusal(await bot.get('/bot_storage', { keys }), 'Key does not exist.');
    },
  );
});
