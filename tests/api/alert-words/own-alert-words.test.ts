// The operations addAlertWords, removeAlertWords and listAlertWords.
import { describe, expect, test } from 'vitest';
import { MAX_ALERT_WORDS } from '#shared/domain/alert-words/alert-words.ts';
import { roles } from '#shared/domain/users/user.ts';
import { proves } from '#tests/conformance/proves.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { add, remove, wordsAfter, wordsOf } from './alert-word-calls.ts';

const service = await startTestService();
const ada = await createUser(service, 'Ada');

const someone = () => createUser(service, 'Someone');

describe('Adding alert words', () => {
  const order = proves('add-alert-words.1', 'add-alert-words.2', 'add-alert-words.5');
  test('Returns all words of the caller alone, in the order of addition', order, async () => {
    const cy = await someone();
    const alert_words = ['kiln', 'glaze'];
    expect((await add(cy, alert_words)).body).toEqual({ result: 'success', msg: '', alert_words });
    expect(await wordsAfter(add(cy, ['clay']))).toEqual(['kiln', 'glaze', 'clay']);
    expect(await wordsOf(cy)).toEqual(['kiln', 'glaze', 'clay']);
    expect(await wordsOf(ada)).toEqual([]);
  });

  const spelling = proves('add-alert-words.3', 'add-alert-words.4');
  test('Ignores existing words, in any letter case and composition', spelling, async () => {
    const cy = await someone();
    const words = ['Kiln', 'caf\u00e9', 'Ärger'];
    await add(cy, words);
    const spellings = ['kiln', 'KILN', 'cafe\u0301', 'äRGER', 'new'];
    expect(await wordsAfter(add(cy, spellings))).toEqual([...words, 'new']);
  });

  test(
    'Puts the last spelling of a new word in the place of the first',
    proves('add-alert-words.4'),
    async () => {
      const words = add(await someone(), ['kiln', 'clay', 'KILN', 'Kiln']);
      expect(await wordsAfter(words)).toEqual(['Kiln', 'clay']);
    },
  );

  test('Strips white space around words and drops blank words', async () => {
    const cy = await someone();
    for (const words of [['  kiln\n', '', '   ', 'two words'], []])
      expect(await wordsAfter(add(cy, words))).toEqual(['kiln', 'two words']);
  });

  const limits = proves('add-alert-words.6', 'add-alert-words.7');
  test('Accepts words of 100 characters and refuses words of 101', limits, async () => {
    const cy = await someone();
    const longest = '🔥'.repeat(100);
    expect(await wordsAfter(add(cy, [` ${longest} `]))).toEqual([longest]);
    const limit = 'is too long (limit: 100 characters)';
    expectRefusal(await add(cy, ['x'.repeat(101)]), `alert_words[0] ${limit}`);
    expectRefusal(await add(cy, ['fine', `${longest}x`]), `alert_words[1] ${limit}`);
    expect(await wordsOf(cy)).toEqual([longest]);
  });

  test('Requires a list of texts', async () => {
    expectRefusal(await add(ada, [1]), 'alert_words[0] is not a string');
    expect(await wordsOf(ada)).toEqual([]);
  });

  test('Refuses more words than the limit', async () => {
    const cy = await someone();
    const words = Array.from({ length: MAX_ALERT_WORDS }, (_, n) => `word ${n}`);
    expect(await wordsAfter(add(cy, words))).toHaveLength(MAX_ALERT_WORDS);
    expectRefusal(await add(cy, ['another']), `You cannot have more than ${MAX_ALERT_WORDS} alert words`);
    expect(await wordsAfter(add(cy, ['WORD 0']))).toHaveLength(MAX_ALERT_WORDS);
    const di = await someone();
    const long = Array.from({ length: 201 }, (_, n) => `${n} ${'x'.repeat(95)}`.padEnd(100, 'y'));
    expectRefusal(await add(di, long), 'Your alert words are too long together (limit: 20000 characters)');
    expect(await wordsOf(di)).toEqual([]);
  });
});

describe('The event of alert words', () => {
  test('Has the whole list, and goes only to the queues of the caller', async () => {
    const cy = await someone();
    await add(cy, ['kiln']);
    const queues = await listenAll([cy, cy, ada, service.owner]);
    await add(cy, ['clay']);
    await remove(cy, ['kiln']);
    const event = { id: expect.any(Number), type: 'alert_words' };
    const events = [
      { ...event, alert_words: ['kiln', 'clay'] },
      { ...event, alert_words: ['clay'] },
    ];
    expect(await Promise.all(queues.map((queue) => queue.drain()))).toEqual([events, events, [], []]);
  });

  test('Comes even if nothing changed', async () => {
    const cy = await someone();
    const queue = await cy.listen();
    for (const words of [['  '], ['kiln'], ['KILN']]) await add(cy, words);
    for (const words of [['clay'], []]) await remove(cy, words);
    const lists = (await queue.drain()).map((event) => event.alert_words);
    expect(lists).toEqual([[], ['kiln'], ['kiln'], ['kiln'], ['kiln']]);
  });
});

test('Snapshot and events agree when people add and remove alert words', async () => {
  const guest = await createUser(service, 'Guest', roles.guest);
  await expectConsistentSnapshot(service, [service.owner, ada, guest], async () => {
    await add(ada, ['kiln', 'Clay']);
    await add(guest, ['glaze']);
    await add(service.owner, ['']);
    await add(ada, ['clay', 'wheel']);
    await remove(ada, ['KILN']);
  });
});

test('The first alert words cost 7 write units, later ones 5', async () => {
  const cy = await someone();
  for (const [word, units] of [
    ['kiln', 7],
    ['clay', 5],
  ] as const) {
    service.meter.reset();
    await add(cy, [word]);
    expect(service.meter.write).toBe(units);
  }
});

test('Removing alert words returns the remaining words, and ignores words that do not exist', async () => {
  const [cy, di] = [await someone(), await someone()];
  await add(cy, ['kiln', 'Clay', 'glaze']);
  await add(di, ['kiln']);
  const { body } = await remove(cy, ['CLAY', ' kiln ', 'wheel', '', 'x'.repeat(1_000)]);
  expect(body).toEqual({ result: 'success', msg: '', alert_words: ['glaze'] });
  expect(await wordsOf(cy)).toEqual(['glaze']);
  expect(await wordsOf(di)).toEqual(['kiln']);
});
