import { expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { ISSUE, KNOWS, listed, made } from './linkifier-calls.ts';

const service = await startTestService();
const owner = service.owner;
const [a, b, c] = ['a', 'b', 'c'].map((letter) => ({ ...ISSUE, pattern: `${letter}(?P<id>d)` }));
const ids = [await made(owner, a), await made(owner, b), await made(owner, c)];

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
  expect(await orderNow()).toEqual(before);
});
