// The operations updateBotStorage, getBotStorage and deleteBotStorage.
import { describe, expect, test } from 'vitest';
import { MAX_STORAGE_CHARACTERS as LIMIT } from '#shared/domain/users/bot-storage.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createBot, keep, storageOf } from './bots.ts';

const service = await startTestService();
const [bot, other] = [await createBot(service.owner), await createBot(service.owner)];

const excess = (by: number): string =>
  `Request exceeds storage limit by ${by} characters. The limit is ${LIMIT} characters.`;

describe('Storing texts of a bot', () => {
  test('Stores each under its key, replaces earlier values, and leaves other keys', async () => {
    expect((await keep(bot, { turn: '1', name: 'Ada' })).body).toEqual({ result: 'success', msg: '' });
    expect((await keep(bot, { turn: '2', '': 'no key', ' ': '' })).status).toBe(200);
    expect(await storageOf(bot)).toEqual({ turn: '2', name: 'Ada', '': 'no key', ' ': '' });
  });

  test('Accepts any text as key and as value', async () => {
    const storage = { 'ключ 🗝️': '{"a": [1]}', constructor: '\0\n', toString: '"', 'a.b#c': '💾'.repeat(50) };
    await keep(other, storage);
    expect(await storageOf(other)).toEqual(storage);
  });

  test('Loses nothing if two requests store at once', async () => {
    const racer = await createBot(service.owner);
    const numbers = Array.from({ length: 8 }, (_, n) => String(n));
    const replies = await Promise.all(numbers.map((n) => keep(racer, { [n]: n })));
    expect(replies.map(({ status }) => status)).toEqual(numbers.map(() => 200));
    expect(Object.keys(await storageOf(racer)).sort()).toEqual(numbers);
  });

  test('Survives that the bot is deactivated and reactivated', async () => {
    const sleeper = await createBot(service.owner);
    await keep(sleeper, { turn: '7' });
    await service.deactivate(sleeper);
    await service.owner.post(`/users/${sleeper.userId}/reactivate`);
    await service.renewKey(sleeper);
    expect(await storageOf(sleeper)).toEqual({ turn: '7' });
  });
});

describe('The storage quota of a bot', () => {
  test('Ends exactly at the last character, and a request beyond it changes nothing', async () => {
    const full = await createBot(service.owner);
    expect((await keep(full, { a: 'x'.repeat(LIMIT - 1) })).status).toBe(200);
    expectRefusal(await keep(full, { b: '' }), excess(1));
    expectRefusal(await keep(full, { a: 'y', b: 'z'.repeat(LIMIT) }), excess(3));
    expect(Object.keys(await storageOf(full))).toEqual(['a']);
    expect((await keep(full, { a: 'short' })).status).toBe(200);
    expect((await keep(full, { b: 'fits now' })).status).toBe(200);
  });

  // The item of the table has 400 KB: the texts that compress worst must fit.
  test.each([
    ['characters of four bytes', () => [['k', randomText(LIMIT / 2 - 1, 0x10000, 0x10ffff)]]],
    ['characters of three bytes', () => [['k', randomText(LIMIT - 1, 0x800, 0xd7ff)]]],
    ['control characters', () => [['k', randomText(LIMIT - 1, 0, 0x1f)]]],
    [
      'the smallest keys',
      () => Array.from({ length: LIMIT / 3 }, (_, n) => [String.fromCodePoint(n + 1), 'ab']),
    ],
  ])('Holds the same number of %s', async (_what, entries) => {
    const full = await createBot(service.owner);
    const storage = Object.fromEntries(entries());
    service.meter.reset();
    expect((await keep(full, storage)).status).toBe(200);
    expect(service.meter.write).toBeLessThan(400);
    expect(await storageOf(full)).toEqual(storage);
  });

  test('Costs in proportion to the stored size', async () => {
    const small = await createBot(service.owner);
    await keep(small, { turn: '1' });
    service.meter.reset();
    await keep(small, { turn: '2' });
    // One of them for the count of requests.
    expect(service.meter.write).toBeLessThanOrEqual(2);
  });
});

/** Characters of a range, in an order that no packing makes shorter. */
function randomText(length: number, from: number, to: number): string {
  let state = 12345;
  let made = '';
  for (let n = 0; n < length; n++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    made += String.fromCodePoint(from + ((state >>> 8) % (to - from + 1)));
  }
  return made;
}

const reader = await createBot(service.owner);
await keep(reader, { turn: '4', name: 'Ada', empty: '' });

describe('Reading stored texts of a bot', () => {
  test.each([
    [['name', 'empty', 'name'], { name: 'Ada', empty: '' }],
    [undefined, { turn: '4', name: 'Ada', empty: '' }],
    [[], { turn: '4', name: 'Ada', empty: '' }],
  ])('Returns the requested keys, or all if none are named: %j', async (keys, storage) => {
    expect((await reader.get('/bot_storage', keys && { keys })).body.storage).toEqual(storage);
  });

  test('Returns nothing before anything was stored', async () => {
    const fresh = await createBot(service.owner);
    expect(await storageOf(fresh)).toEqual({});
    expectRefusal(await fresh.get('/bot_storage', { keys: ['turn'] }), 'Key does not exist.');
  });

  test.each([[['turn', 'missing']], [['constructor']], [['Turn']], [['']]])(
    'Refuses missing keys: %j',
    async (keys) => {
      expectRefusal(await reader.get('/bot_storage', { keys }), 'Key does not exist.');
    },
  );
});

const forgetful = await createBot(service.owner);

describe('Deleting stored texts of a bot', () => {
  test('Removes the named keys', async () => {
    await keep(forgetful, { a: '1', b: '2', c: '3' });
    const { status, body } = await forgetful.delete('/bot_storage', { keys: ['a', 'c', 'a'] });
    expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
    expect(await storageOf(forgetful)).toEqual({ b: '2' });
  });

  test.each([[undefined], [[]]])('Removes all keys if %j are named, even if there are none', async (keys) => {
    await keep(forgetful, { a: '1', b: '2' });
    for (let time = 1; time <= 2; time++)
      expect((await forgetful.delete('/bot_storage', keys && { keys })).status).toBe(200);
    expect(await storageOf(forgetful)).toEqual({});
  });

  test('Removes nothing if one of the keys holds nothing', async () => {
    await keep(forgetful, { a: '1' });
    expectRefusal(await forgetful.delete('/bot_storage', { keys: ['a', 'missing'] }), 'Key does not exist.');
    expect(await storageOf(forgetful)).toEqual({ a: '1' });
  });

  test('Frees room in the quota', async () => {
    const full = await createBot(service.owner);
    await keep(full, { a: 'x'.repeat(LIMIT - 1) });
    expect((await keep(full, { b: '1' })).status).toBe(400);
    await full.delete('/bot_storage', { keys: ['a'] });
    expect((await keep(full, { b: '1' })).status).toBe(200);
  });
});
