import { afterAll, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createField, profileOf, say } from './fields.ts';

const service = await startTestService();
const member = await service.createUser('Member');
const guest = await service.createUser('Guest', roles.guest);
await service.settle();
afterAll(() => service.stop());

const clear = (client: Client, data: unknown) => client.delete('/users/me/profile_data', { data });

test('Clearing removes the values of the given fields and keeps others', async () => {
  const [first, second, third] = [
    await createField(service.owner),
    await createField(service.owner),
    await createField(service.owner),
  ];
  for (const id of [first, second, third]) await say(member, id, 'v');
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

test('Clearing keeps snapshot and events equal for every user', async () => {
  const id = await createField(service.owner);
  await say(guest, id, 'v');
  await expectConsistentSnapshot(service, [member, guest, service.owner], () => clear(guest, [id]));
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
  expectRefusal(
    await clear(member, [id]),
    'You are not allowed to change this field. Contact an administrator to update it.',
  );
  expect((await clear(service.owner, [id])).status).toBe(200);
});

test.each([
  ['x', 'data is not valid JSON'],
  ['1', 'data is not a list'],
  ['["1"]', 'data[0] is not an integer'],
  ['[1.5]', 'data[0] is not an integer'],
])('Clearing refuses the data %j', async (data, msg) => {
  expectRefusal(await clear(member, data), msg);
});

test('Clearing requires data, and fails for bots', async () => {
  expectMissing(await member.delete('/users/me/profile_data'), 'data');
  const bot = await service.createUser('Robot');
  await service.makeBot(bot, member);
  expectRefusal(await clear(bot, []), 'This endpoint does not accept bot requests.');
});
