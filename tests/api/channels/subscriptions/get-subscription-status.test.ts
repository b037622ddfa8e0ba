import { afterAll, expect, test } from 'vitest';
import { leave, newName } from '#tests/api/channels/channel-calls.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
afterAll(() => service.stop());

test('The subscription of another user is returned if the caller may know the channel', async () => {
  const name = newName();
  const channelId = await ada.subscribe(name);
  const status = async (client: Client, user: Client): Promise<boolean> =>
    (await client.get(`/users/${user.userId}/subscriptions/${channelId}`)).body.is_subscribed;
  expect([await status(bo, ada), await status(ada, bo)]).toEqual([true, false]);
  await leave(ada, [name]);
  expect(await status(bo, ada)).toBe(false);
});

test('Unknown people and channels are refused', async () => {
  const channelId = await ada.subscribe(newName());
  expectRefusal(await bo.get(`/users/9999/subscriptions/${channelId}`), 'No such user');
  expectRefusal(await bo.get(`/users/${ada.userId}/subscriptions/9999`), 'Invalid channel ID');
});
