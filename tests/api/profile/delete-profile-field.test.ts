import { expect, test } from 'vitest';
import { accountWrites, createAccount } from '#shared/domain/users/create.ts';
import { roles } from '#shared/domain/users/user.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createField, listFields, profileOf, say } from './fields.ts';

const service = await startTestService();
const owner = service.owner;
const member = await service.createUser('Member');
const guest = await service.createUser('Guest', roles.guest);
await service.settle();

const remove = (id: number | string, by = owner) => by.delete(`/realm/profile_fields/${id}`);

test('Deleting a field removes its values, and notifies every user', async () => {
  const [gone, stays] = [await createField(owner), await createField(owner)];
  for (const person of [owner, member]) for (const id of [gone, stays]) await say(person, id, 'v');
  const queue = await guest.listen();
  await expectConsistentSnapshot(service, [owner, member, guest], () => remove(gone));
  expect((await listFields(guest)).map(({ id }) => id)).toEqual([stays]);
  expect((await listFields(guest))[0]?.order).toBe(1);
  for (const person of [owner, member])
    expect(Object.keys(await profileOf(guest, person.userId))).toEqual([String(stays)]);
  const events = await queue.drain();
  expect(events[0]).toMatchObject({ type: 'custom_profile_fields', fields: await listFields(owner) });
  const custom_profile_field = { id: gone, value: null };
  expect(events.slice(1).map(({ person }) => person)).toEqual(
    [owner, member].map(({ userId }) => ({ user_id: userId, custom_profile_field })),
  );
});

test('Deleting a field frees its label, and its id is never used again', async () => {
  const id = await createField(owner, { name: 'Again' });
  await remove(id);
  expect(await createField(owner, { name: 'Again' })).toBeGreaterThan(id);
});

test('Deleting a field removes more values than fit into one transaction', async () => {
  const id = await createField(owner);
  // Accounts with passwords take too long to create, so they are written into the table.
  const { table } = service.services;
  const said = { [id]: { value: 'v', renderedValue: '<p>v</p>' } };
  const crowd = Array.from({ length: 90 }, (_, n) => 1_000_000 + n);
  for (const userId of crowd) {
    const account = { userId, email: `${userId}@example.com`, fullName: 'Many', nowSeconds: 0 };
    await table.transact(accountWrites(createAccount(account)), `crowd-${userId}`);
    await table.write({ kind: 'update', key: userKeys.user(userId), set: { profileData: said } });
  }
  service.observers.clear();
  expect(await profileOf(guest, 1_000_085)).toHaveProperty(String(id));
  await expectConsistentSnapshot(service, [guest], () => remove(id));
  for (const userId of crowd) expect(await profileOf(guest, userId)).toEqual({});
});

test('Deleting a field also removes values that are set meanwhile', async () => {
  const id = await createField(owner);
  const [deleted, ...said] = await Promise.all([
    remove(id),
    ...[owner, member, guest].map((person) => say(person, id, 'late')),
  ]);
  expect(deleted?.status).toBe(200);
  for (const { status, body } of said)
    expect(status === 200 || body.msg === `Field id ${id} not found.`, body.msg).toBe(true);
  await service.settle();
  for (const person of [owner, member, guest])
    expect(await profileOf(guest, person.userId)).not.toHaveProperty(String(id));
});

test('Deleting a field that does not exist is refused', async () => {
  const id = await createField(owner);
  await remove(id);
  expectRefusal(await remove(id), `Field id ${id} not found.`);
});
