import { afterAll, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { ISSUE, KNOWS, listed, made } from './linkifier-calls.ts';

const service = await startTestService();
const owner = service.owner;
const [a, b, c] = ['a', 'b', 'c'].map((letter) => ({ ...ISSUE, pattern: `${letter}(?P<id>d)` }));
const ids = [await made(owner, a), await made(owner, b), await made(owner, c)];
afterAll(() => service.stop());

const reorder = (order: unknown, client = owner) =>
  client.patch('/realm/linkifiers', { ordered_linkifier_ids: order });
const orderNow = async () => (await listed(owner)).map(({ id }) => id);

test('The linkifiers come in the requested order, and clients are notified', async () => {
  const [a, b, c] = ids;
  const queue = await owner.listen(KNOWS);
  expect((await reorder([c, a, b])).body).toEqual({ result: 'success', msg: '' });
  expect(await orderNow()).toEqual([c, a, b]);
  expect(await queue.drain()).toMatchObject([
    { type: 'realm_linkifiers', realm_linkifiers: [{ id: c }, { id: a }, { id: b }] },
  ]);
});

test('An order that does not name all linkifiers is refused', async () => {
  const [a, b, c] = ids;
  const before = await orderNow();
  for (const order of [[], [a], [a, b], [a, b, c, c], [a, a, b], [a, b, 99_999], [a, b, c, 99_999]])
    expectRefusal(
      await reorder(order),
      'The ordered list must enumerate all existing linkifiers exactly once',
    );
  expectRefusal(await reorder('x'), 'ordered_linkifier_ids is not valid JSON');
  expectRefusal(await reorder(['1']), 'ordered_linkifier_ids[0] is not an integer');
  expectMissing(await owner.patch('/realm/linkifiers'), 'ordered_linkifier_ids');
  expect(await orderNow()).toEqual(before);
});

test.each(['moderator', 'member', 'guest'] as const)('A %s may not reorder the linkifiers', async (role) => {
  const person = await createUser(service, 'Person', roles[role]);
  expectRefusal(await reorder([...ids].reverse(), person), 'Must be an organization administrator', {
    code: 'UNAUTHORIZED_PRINCIPAL',
  });
});
