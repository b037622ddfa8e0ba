import { describe, expect, test } from 'vitest';
import { createPresent, ping, presenceOf, secondsOf, slimPresences } from '#tests/api/presence/presences.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';

const service = await startTestService();
const ada = await createUser(service, 'Ada');
const guest = await createUser(service, 'Guest', 600);

const show = (client: Client, presence_enabled: boolean) => client.patch('/settings', { presence_enabled });
const listen = (client: Client) =>
  client.register({ event_types: ['presence', 'user_status', 'user_settings'], fetch_event_types: [] });
const statusOf = async (user: Client) => (await ada.get(`/users/${user.userId}/status`)).body.status;

async function createHidden(): Promise<Client> {
  const cy = await createUser(service, 'Cy');
  await show(cy, false);
  return cy;
}

describe('A user who hides their presence', () => {
  test('Appears to have been offline for a while', async () => {
    const cy = await createPresent(service);
    expect((await show(cy, false)).status).toBe(200);
    const { presence } = (await presenceOf(ada, cy.userId)).body;
    expect(presence.aggregated.status).toBe('offline');
    expect(presence.active_timestamp).toBeLessThanOrEqual(secondsOf(service) - 320);
    expect(presence.idle_timestamp).toBe(presence.active_timestamp);
  });

  test('Stays offline, whatever their clients report', async () => {
    const cy = await createPresent(service);
    await show(cy, false);
    const before = (await slimPresences(ada))[cy.userId];
    service.advance(300_000);
    const { presences } = await ping(cy, { slim_presence: true });
    expect(presences[cy.userId]).toEqual(before);
    expect((await slimPresences(ada))[cy.userId]).toEqual(before);
  });

  test('Still sees others', async () => {
    const cy = await createHidden();
    await ping(ada);
    expect((await ping(cy, { slim_presence: true })).presences).toHaveProperty(String(ada.userId));
  });

  test('Keeps an older presence', async () => {
    const cy = await createPresent(service);
    const before = (await slimPresences(ada))[cy.userId];
    service.advance(3_600_000);
    await show(cy, false);
    expect((await slimPresences(ada))[cy.userId]).toEqual(before);
  });

  test('Has no presence data if they never reported', async () => {
    const cy = await createHidden();
    await ping(cy);
    expectRefusal(await presenceOf(ada, cy.userId), `No presence data for ${cy.userId}`);
  });

  test('Causes an event to every user at once, as presence and as the old status `away`', async () => {
    const cy = await createPresent(service);
    const queues = [await listen(cy), await listen(guest)];
    await show(cy, false);
    const [own, others] = await Promise.all(queues.map((queue) => queue.drain()));
    expect(own?.map(({ type }) => type)).toEqual(['user_settings', 'presence', 'user_status']);
    expect(others).toMatchObject([
      { type: 'presence', user_id: cy.userId, presence: { website: { timestamp: expect.any(Number) } } },
      { type: 'user_status', user_id: cy.userId, away: true },
    ]);
    expect(others?.[0]?.presence.website.timestamp).toBeLessThanOrEqual(secondsOf(service) - 320);
    expect(await statusOf(cy)).toEqual({ away: true });
  });

  test('Becomes active when they show it again, with an event to every user', async () => {
    const cy = await createHidden();
    const queue = await listen(guest);
    await show(cy, true);
    const [presence, status] = await queue.drain();
    expect(presence).toMatchObject({ type: 'presence', presence: { website: { status: 'active' } } });
    expect(status).toMatchObject({ type: 'user_status', user_id: cy.userId, away: false });
    expect((await presenceOf(ada, cy.userId)).body.presence.aggregated.status).toBe('active');
    expect(await statusOf(cy)).toEqual({});
  });

  test('Changes and sends nothing the second time', async () => {
    const cy = await createHidden();
    const queue = await listen(guest);
    expect((await unitsOf(service, () => show(cy, false))).write).toBe(0);
    expect(await queue.drain()).toEqual([]);
  });

  test('Stays hidden after a deactivation and reactivation', async () => {
    const cy = await createHidden();
    await service.deactivate(cy);
    const reactivate = () => service.owner.post(`/users/${cy.userId}/reactivate`);
    await expectConsistentSnapshot(service, [service.owner, ada, guest], reactivate);
    expect(await statusOf(cy)).toEqual({ away: true });
  });
});

test('Showing presence has no effect if the organization turned presence off', async () => {
  const cy = await createHidden();
  await service.owner.patch('/realm', { presence_disabled: true });
  const queue = await listen(ada);
  await show(cy, true);
  expect((await queue.drain()).map(({ type }) => type)).toEqual(['user_status']);
  await service.owner.patch('/realm', { presence_disabled: false });
  expectRefusal(await presenceOf(ada, cy.userId), `No presence data for ${cy.userId}`);
});

test('New users who are hidden by default are away, and their reports have no effect', async () => {
  await service.owner.patch('/realm/user_settings_defaults', { presence_enabled: false });
  let cy = ada;
  await expectConsistentSnapshot(service, [service.owner, ada, guest], async () => {
    cy = await createUser(service, 'Cy');
  });
  await service.owner.patch('/realm/user_settings_defaults', { presence_enabled: true });
  await ping(cy);
  expectRefusal(await presenceOf(ada, cy.userId), `No presence data for ${cy.userId}`);
  expect(await statusOf(cy)).toEqual({ away: true });
});

test('Snapshot and events agree when people hide and show their presence', async () => {
  const [cy, di] = await createUsers(service, 'Cy', 'Di');
  await ping(cy);
  await expectConsistentSnapshot(service, [service.owner, cy, guest], async () => {
    await show(cy, false);
    await show(di, false);
    await show(cy, true);
    await show(cy, false);
    await show(di, true);
  });
});
