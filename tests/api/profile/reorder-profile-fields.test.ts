import { expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createField, listFields } from './fields.ts';

const service = await startTestService();
const owner = service.owner;
const guest = await service.createUser('Guest', roles.guest);
const ids = [await createField(owner), await createField(owner), await createField(owner)];

const reorder = (order: unknown, by = owner) => by.patch('/realm/profile_fields', { order });
const orderNow = async () => (await listFields(guest)).map(({ id, order }) => [id, order]);

test('The fields come in the requested order, and every user is notified', async () => {
  const [a, b, c] = ids;
  await expectConsistentSnapshot(service, [owner, guest], () => reorder([c, a, b]));
  expect(await orderNow()).toEqual([
    [c, 1],
    [a, 2],
    [b, 3],
  ]);
  const queue = await guest.listen();
  await reorder([a, b, c]);
  const fields = await listFields(owner);
  expect(await queue.drain()).toMatchObject([{ type: 'custom_profile_fields', fields }]);
});

test('Reordering to the current order sends no event', async () => {
  const queue = await guest.listen();
  expect((await reorder((await listFields(owner)).map(({ id }) => id))).status).toBe(200);
  expect(await queue.drain()).toEqual([]);
});

test('An order that does not name all fields is refused', async () => {
  const [a, b, c] = ids;
  const before = await orderNow();
  for (const order of [[], [a], [a, b], [a, b, c, c], [a, a, b, c]])
    expectRefusal(await reorder(order), 'Invalid order mapping.');
  expectRefusal(await reorder([a, b, 99_999]), 'Field id 99999 not found.');
  expect(await orderNow()).toEqual(before);
});
