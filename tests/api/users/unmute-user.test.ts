import { afterAll, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
afterAll(() => service.stop());

const unmute = (client: Client, userId: unknown) => client.delete(`/users/me/muted_users/${userId}`);

test('Unmuting a user leaves the others muted, and notifies only the queues of the caller', async () => {
  const [cy] = await createUsers(service, 'Cy');
  for (const { userId } of [ada, bo]) await cy.post(`/users/me/muted_users/${userId}`);
  await service.deactivate(ada);
  const [queue, other] = [await cy.listen(), await bo.listen()];
  expect((await unmute(cy, ada.userId)).body).toEqual({ result: 'success', msg: '' });
  const left = [{ id: bo.userId, timestamp: expect.any(Number) }];
  expect(await queue.drain()).toEqual([{ id: expect.any(Number), type: 'muted_users', muted_users: left }]);
  expect(await other.drain()).toEqual([]);
  expect((await cy.register()).snapshot.muted_users).toEqual(left);
});

test('Unmuting is refused for a user who is not muted, for oneself and for a missing user', async () => {
  const queue = await bo.listen();
  for (const userId of [ada.userId, bo.userId, service.owner.userId])
    expectRefusal(await unmute(bo, userId), 'User is not muted');
  expectRefusal(await unmute(bo, 999_999), 'No such user');
  expect((await unmute(bo, 'ada')).status).toBe(400);
  expect(await queue.drain()).toEqual([]);
});
