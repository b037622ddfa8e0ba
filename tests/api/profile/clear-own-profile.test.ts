// The operations clearOwnProfile and listProfileFields.
import { expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createField, expectForbidden, profileOf, say } from './fields.ts';

const service = await startTestService();
const member = await service.createUser('Member');
const guest = await service.createUser('Guest', roles.guest);
await service.settle();

const clear = (client: Client, data: unknown) => client.delete('/users/me/profile_data', { data });

test('A fresh organization has no fields', async () => {
  const { body } = await service.owner.get('/realm/profile_fields');
  expect(body).toEqual({ result: 'success', msg: '', custom_fields: [] });
});

test('Clearing removes the values of the given fields and keeps others', async () => {
  const ids = [
    await createField(service.owner),
    await createField(service.owner),
    await createField(service.owner),
  ];
  const [first, second, third] = ids;
  for (const id of ids) await say(member, id, 'v');
  const queue = await guest.listen();
  expect((await clear(member, [first, third])).status).toBe(200);
  expect(Object.keys(await profileOf(guest, member.userId))).toEqual([String(second)]);
  expect((await queue.drain()).map(({ person }) => person)).toEqual([
    { user_id: member.userId, custom_profile_field: { id: first, value: null } },
    { user_id: member.userId, custom_profile_field: { id: third, value: null } },
  ]);
});

test('Clearing empty fields changes nothing', async () => {
  const id = await createField(service.owner);
  const queue = await guest.listen();
  expect((await clear(member, [id])).status).toBe(200);
  expect((await clear(member, [])).status).toBe(200);
  expect(await queue.drain()).toEqual([]);
});

test('Clearing an unknown field is refused, and removes nothing', async () => {
  const id = await createField(service.owner);
  await say(member, id, 'v');
  expectRefusal(await clear(member, [id, 99_999]), 'Field id 99999 not found.');
  expect((await profileOf(guest, member.userId))[id]?.value).toBe('v');
});

test('Clearing a field that only administrators edit is refused to others', async () => {
  const id = await createField(service.owner, { editable_by_user: false });
  await say(service.owner, id, 'v');
  expectForbidden(await clear(member, [id]));
  expect((await clear(service.owner, [id])).status).toBe(200);
});
