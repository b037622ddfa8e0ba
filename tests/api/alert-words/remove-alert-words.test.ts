import { describe, expect, test } from 'vitest';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { add, remove, wordsOf } from './alert-word-calls.ts';

const service = await startTestService();
const ada = await createUser(service, 'Ada');
const bo = await createUser(service, 'Bo');

describe('Removing alert words', () => {
  test('Returns the remaining words, and ignores words that do not exist', async () => {
    await add(ada, ['kiln', 'Clay', 'glaze']);
    await add(bo, ['kiln']);
    const { body } = await remove(ada, ['CLAY', ' kiln ', 'wheel', '', 'x'.repeat(1_000)]);
    expect(body).toEqual({ result: 'success', msg: '', alert_words: ['glaze'] });
    expect(await wordsOf(ada)).toEqual(['glaze']);
    expect(await wordsOf(bo)).toEqual(['kiln']);
  });

  test('Sends the whole list only to the queues of the caller, even if nothing changed', async () => {
    const cy = await createUser(service, 'Cy');
    await add(cy, ['a', 'b']);
    const [own, other] = [await cy.listen(), await bo.listen()];
    await remove(cy, ['a']);
    await remove(cy, ['a']);
    await remove(cy, []);
    expect((await own.drain()).map(({ type, alert_words }) => [type, alert_words])).toEqual([
      ['alert_words', ['b']],
      ['alert_words', ['b']],
      ['alert_words', ['b']],
    ]);
    expect(await other.drain()).toEqual([]);
  });
});
