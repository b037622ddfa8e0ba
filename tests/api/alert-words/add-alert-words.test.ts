import { describe, expect, test } from 'vitest';
import { MAX_ALERT_WORDS } from '#shared/domain/alert-words/alert-words.ts';
import { roles } from '#shared/domain/users/user.ts';
import { proves } from '#tests/conformance/proves.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { add, wordsOf } from './alert-word-calls.ts';

const service = await startTestService();
const ada = await createUser(service, 'Ada');

const someone = () => createUser(service, 'Someone');

describe('Adding alert words', () => {
  test(
    'Returns all words of the caller, in the order in which they were added',
    proves('add-alert-words.1', 'add-alert-words.2', 'add-alert-words.5'),
    async () => {
      const cy = await someone();
      expect((await add(cy, ['kiln', 'glaze'])).body).toEqual({
        result: 'success',
        msg: '',
        alert_words: ['kiln', 'glaze'],
      });
      expect((await add(cy, ['clay'])).body.alert_words).toEqual(['kiln', 'glaze', 'clay']);
      expect(await wordsOf(cy)).toEqual(['kiln', 'glaze', 'clay']);
      expect(await wordsOf(ada)).toEqual([]);
    },
  );

  test(
    'Ignores words that exist already, in any letter case and composition',
    proves('add-alert-words.3', 'add-alert-words.4'),
    async () => {
      const cy = await someone();
      await add(cy, ['Kiln', 'caf\u00e9', 'Ärger']);
      expect((await add(cy, ['kiln', 'KILN', 'cafe\u0301', 'äRGER', 'new'])).body.alert_words).toEqual([
        'Kiln',
        'caf\u00e9',
        'Ärger',
        'new',
      ]);
    },
  );

  test(
    'Takes the last of several spellings of a new word, at the place of the first',
    proves('add-alert-words.4'),
    async () => {
      const cy = await someone();
      expect((await add(cy, ['kiln', 'clay', 'KILN', 'Kiln'])).body.alert_words).toEqual(['Kiln', 'clay']);
    },
  );

  test('Strips white space around words and drops blank words', async () => {
    const cy = await someone();
    expect((await add(cy, ['  kiln\n', '', '   ', 'two words'])).body.alert_words).toEqual([
      'kiln',
      'two words',
    ]);
    expect((await add(cy, [])).body.alert_words).toEqual(['kiln', 'two words']);
  });

  test(
    'Accepts words of 100 characters and refuses words of 101',
    proves('add-alert-words.6', 'add-alert-words.7'),
    async () => {
      const cy = await someone();
      const longest = '🔥'.repeat(100);
      expect((await add(cy, [` ${longest} `])).body.alert_words).toEqual([longest]);
      expectRefusal(await add(cy, ['x'.repeat(101)]), 'alert_words[0] is too long (limit: 100 characters)');
      expectRefusal(
        await add(cy, ['fine', `${longest}x`]),
        'alert_words[1] is too long (limit: 100 characters)',
      );
      expect(await wordsOf(cy)).toEqual([longest]);
    },
  );

  test('Requires a list of texts', async () => {
    expectRefusal(await add(ada, [1]), 'alert_words[0] is not a string');
    expect(await wordsOf(ada)).toEqual([]);
  });

  test('Refuses more words than the limit', async () => {
    const cy = await someone();
    const words = Array.from({ length: MAX_ALERT_WORDS }, (_, n) => `word ${n}`);
    expect((await add(cy, words)).body.alert_words).toHaveLength(MAX_ALERT_WORDS);
    expectRefusal(await add(cy, ['another']), `You cannot have more than ${MAX_ALERT_WORDS} alert words`);
    expect((await add(cy, ['WORD 0'])).status).toBe(200);
    const di = await someone();
    const long = Array.from({ length: 201 }, (_, n) => `${n} ${'x'.repeat(95)}`.padEnd(100, 'y'));
    expectRefusal(await add(di, long), 'Your alert words are too long together (limit: 20000 characters)');
    expect(await wordsOf(di)).toEqual([]);
  });
});

describe('The event of added alert words', () => {
  test('Has the whole list, and goes only to the queues of the caller', async () => {
    const cy = await someone();
    await add(cy, ['kiln']);
    const queues = await Promise.all([cy, cy, ada, service.owner].map((client) => client.listen()));
    await add(cy, ['clay']);
    const event = { id: expect.any(Number), type: 'alert_words', alert_words: ['kiln', 'clay'] };
    expect(await Promise.all(queues.map((queue) => queue.drain()))).toEqual([[event], [event], [], []]);
  });

  test('Comes even if nothing changed', async () => {
    const cy = await someone();
    const queue = await cy.listen();
    await add(cy, ['  ']);
    await add(cy, ['kiln']);
    await add(cy, ['KILN']);
    expect((await queue.drain()).map((event) => event.alert_words)).toEqual([[], ['kiln'], ['kiln']]);
  });
});

test('Snapshot and events agree when people add and remove alert words', async () => {
  const guest = await createUser(service, 'Guest', roles.guest);
  await expectConsistentSnapshot(service, [service.owner, ada, guest], async () => {
    await add(ada, ['kiln', 'Clay']);
    await add(guest, ['glaze']);
    await add(service.owner, ['']);
    await add(ada, ['clay', 'wheel']);
    await ada.delete('/users/me/alert_words', { alert_words: ['KILN'] });
  });
});

test('The first alert words cost 7 write units, later ones 5', async () => {
  const cy = await someone();
  service.meter.reset();
  await add(cy, ['kiln']);
  expect(service.meter.write).toBe(7);
  service.meter.reset();
  await add(cy, ['clay']);
  expect(service.meter.write).toBe(5);
});
