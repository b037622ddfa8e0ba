import { expect, test } from 'vitest';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { add } from './alert-word-calls.ts';

const service = await startTestService();

test('Each user lists their own alert words, in the order in which they were added', async () => {
  const [ada, bo] = [await createUser(service, 'Ada'), await createUser(service, 'Bo')];
  await add(ada, ['kiln', 'clay']);
  expect((await ada.get('/users/me/alert_words')).body).toEqual({
    result: 'success',
    msg: '',
    alert_words: ['kiln', 'clay'],
  });
  expect((await bo.get('/users/me/alert_words')).body.alert_words).toEqual([]);
});
