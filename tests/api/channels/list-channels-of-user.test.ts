import { afterAll, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { leave, newName } from './channel-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);
afterAll(() => service.stop());

const listed = async (client: Client, user: Client): Promise<number[]> =>
  (await client.get(`/users/${user.userId}/channels`)).body.subscribed_channel_ids;

test('The channels of a user include only channels that the caller may know', async () => {
  const left = newName();
  const open = await ada.subscribe(newName());
  const secret = await ada.subscribe(newName(), { invite_only: true });
  await ada.subscribe(left);
  await leave(ada, [left]);
  expect(await listed(ada, ada)).toEqual([open, secret]);
  expect(await listed(service.owner, ada)).toEqual([open, secret]);
  expect(await listed(bo, ada)).toEqual([open]);
  expect(await listed(guest, ada)).toEqual([]);
});

test('A user who does not exist is refused', async () => {
  expectRefusal(await ada.get('/users/9999/channels'), 'No such user');
  expectRefusal(await ada.get('/users/x/channels'), 'user_id is not valid JSON');
});
