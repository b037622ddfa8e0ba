import { afterAll, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { ISSUE, KNOWS, listed, made } from './linkifier-calls.ts';

const service = await startTestService();
afterAll(() => service.stop());

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

test.each(['moderator', 'member', 'guest'] as const)('A %s may not delete a linkifier', async (role) => {
  const person = await createUser(service, 'Person', roles[role]);
  for (const id of [1, 99_999])
    expectRefusal(await person.delete(`/realm/filters/${id}`), 'Must be an organization administrator', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
});
