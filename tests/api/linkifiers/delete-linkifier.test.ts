import { expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { ISSUE, KNOWS, listed, made } from './linkifier-calls.ts';

const service = await startTestService();

test('A deleted linkifier is gone permanently, and its id is not used again', async () => {
  const { owner } = service;
  const [one, two] = [await made(owner), await made(owner, { ...ISSUE, pattern: 'b(?P<id>c)' })];
  const queue = await owner.listen(KNOWS);
  expect((await owner.delete(`/realm/filters/${two}`)).body).toEqual({ result: 'success', msg: '' });
  expect(await listed(owner)).toMatchObject([{ id: one }]);
  expect(await queue.drain()).toMatchObject([{ type: 'realm_linkifiers', realm_linkifiers: [{ id: one }] }]);
  expectRefusal(await owner.delete(`/realm/filters/${two}`), 'Linkifier not found.');
  expect(await made(owner, { ...ISSUE, pattern: 'd(?P<id>e)' })).toBe(two + 1);
});
