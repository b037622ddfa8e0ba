import { afterAll, describe, expect, test } from 'vitest';
import { MAX_MUTED_USERS } from '#shared/domain/users/muted-users.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);
afterAll(() => service.stop());

const mute = (client: Client, userId: unknown) => client.post(`/users/me/muted_users/${userId}`);
const mutedBy = async (client: Client) =>
  (await client.register({ fetch_event_types: ['muted_users'] })).snapshot.muted_users;

describe('Muting a user', () => {
  test('Notifies the queues of the caller, and no other user', async () => {
    const [cy, di] = await createUsers(service, 'Cy', 'Di');
    const queues = await Promise.all([cy, cy, di, service.owner].map((client) => client.listen()));
    expect((await mute(cy, di.userId)).body).toEqual({ result: 'success', msg: '' });
    const received = await Promise.all(queues.map((queue) => queue.drain()));
    const muted = [{ id: di.userId, timestamp: expect.any(Number) }];
    const event = { id: expect.any(Number), type: 'muted_users', muted_users: muted };
    expect(received).toEqual([[event], [event], [], []]);
    expect(await mutedBy(cy)).toEqual(received[0]?.[0]?.muted_users);
    expect(await mutedBy(di)).toEqual([]);
  });

  test('Adds it after users who were muted before, with its time', async () => {
    const cy = await createUser(service, 'Cy');
    await mute(cy, bo.userId);
    service.advance(10_000);
    await mute(cy, ada.userId);
    const [first, second] = await mutedBy(cy);
    expect([first.id, second.id]).toEqual([bo.userId, ada.userId]);
    expect(second.timestamp).toBeGreaterThanOrEqual(first.timestamp + 10);
  });

  test('Works for every caller: guests, bots, owners, and for every user with an account', async () => {
    const bot = await createUser(service, 'Robot');
    await service.makeBot(bot, ada);
    const gone = await createUser(service, 'Gone');
    await service.deactivate(gone);
    for (const [caller, other] of [
      [guest, service.owner],
      [bot, ada],
      [service.owner, bot],
      [ada, gone],
    ] as const) {
      expect((await mute(caller, other.userId)).status).toBe(200);
      expect(await mutedBy(caller)).toMatchObject([{ id: other.userId }]);
    }
  });

  test('Fails for oneself, for a missing user and a second time', async () => {
    const cy = await createUser(service, 'Cy');
    await mute(cy, bo.userId);
    expectRefusal(await mute(cy, cy.userId), 'Cannot mute self');
    expectRefusal(await mute(cy, bo.userId), 'User already muted');
    for (const userId of [999_999, -1, 0]) expectRefusal(await mute(cy, userId), 'No such user');
    expect((await mute(cy, 'bo')).status).toBe(400);
    expect(await mutedBy(cy)).toMatchObject([{ id: bo.userId }]);
  });

  test('Fails above the limit of muted users', async () => {
    const cy = await createUser(service, 'Cy');
    const mutedUsers = Array.from({ length: MAX_MUTED_USERS - 1 }, (_, n) => ({
      id: 1_000_000 + n,
      timestamp: 1_800_000_000,
    }));
    const item = { ...userKeys.mutedUsers(cy.userId), revision: 1, mutedUsers };
    await service.services.table.write({ kind: 'put', item });
    expect((await mute(cy, ada.userId)).status).toBe(200);
    expectRefusal(await mute(cy, bo.userId), `You cannot mute more than ${MAX_MUTED_USERS} users`);
  });

  test('Stores all of several users who are muted at once', async () => {
    const cy = await createUser(service, 'Cy');
    const others = [ada, bo, guest, service.owner];
    await Promise.all(others.map(({ userId }) => mute(cy, userId)));
    const ids = (await mutedBy(cy)).map(({ id }: { id: number }) => id);
    expect(new Set(ids)).toEqual(new Set(others.map(({ userId }) => userId)));
  });
});

test('Muting costs 5 write units', async () => {
  const cy = await createUser(service, 'Cy');
  service.meter.reset();
  await mute(cy, ada.userId);
  expect(service.meter.write).toBe(5);
});

test('Snapshot and events agree when people mute each other', async () => {
  const [cy, di] = await createUsers(service, 'Cy', 'Di');
  await expectConsistentSnapshot(service, [service.owner, cy, guest], async () => {
    await mute(cy, di.userId);
    await mute(cy, ada.userId);
    await mute(guest, cy.userId);
    await mute(service.owner, cy.userId);
    await cy.delete(`/users/me/muted_users/${di.userId}`);
  });
});
