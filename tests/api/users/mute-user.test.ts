// The operations muteUser and unmuteUser.
import { describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

const mute = (client: Client, userId: unknown) => client.post(`/users/me/muted_users/${userId}`);
const mutedBy = async (client: Client) =>
  (await client.register({ fetch_event_types: ['muted_users'] })).snapshot.muted_users;

describe('Muting a user', () => {
  test('Notifies the queues of the caller, and no other user', async () => {
    const [cy, di] = await createUsers(service, 'Cy', 'Di');
    const queues = await listenAll([cy, cy, di, service.owner]);
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

  test('Fails for oneself, for a missing user and a second time', async () => {
    const cy = await createUser(service, 'Cy');
    await mute(cy, bo.userId);
    expectRefusal(await mute(cy, cy.userId), 'Cannot mute self');
    expectRefusal(await mute(cy, bo.userId), 'User already muted');
    for (const userId of [999_999, -1, 0]) expectRefusal(await mute(cy, userId), 'No such user');
    expect((await mute(cy, 'bo')).status).toBe(400);
    expect(await mutedBy(cy)).toMatchObject([{ id: bo.userId }]);
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
  expect((await unitsOf(service, () => mute(cy, ada.userId))).write).toBe(5);
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
