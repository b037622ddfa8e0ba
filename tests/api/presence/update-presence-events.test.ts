import { describe, expect, test } from 'vitest';
import { presencesIn } from '#shared/domain/presence/changes.ts';
import { userKeys, userPartitions } from '#shared/table/keys/users.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createPresent, ping, presenceOf, secondsOf, slimPresences } from './presences.ts';

const service = await startTestService();
const ada = await createUser(service, 'Ada');
const guest = await createUser(service, 'Guest', 600);

const observers = [service.owner, ada, guest];
const SIMPLIFIED = { client_capabilities: { simplified_presence_events: true } };
const listen = (client: Client, params: Params = {}) =>
  client.register({ event_types: ['presence'], fetch_event_types: [], ...params });

describe('The event of a user who becomes present', () => {
  test('Has the old form for every user, with the address', async () => {
    const cy = await createUser(service, 'Cy');
    const queues = await Promise.all([ada, guest, service.owner, cy].map((client) => listen(client)));
    await ping(cy);
    const timestamp = (await presenceOf(ada, cy.userId)).body.presence.active_timestamp;
    for (const queue of queues) {
      const [event, ...others] = await queue.drain();
      expect(others).toEqual([]);
      expect(event).toEqual({
        id: expect.any(Number),
        type: 'presence',
        user_id: cy.userId,
        email: cy.email,
        server_timestamp: expect.any(Number),
        presence: { website: { client: 'website', status: 'active', timestamp, pushable: false } },
      });
    }
  });

  test('Has no address for clients that identify people by id', async () => {
    const cy = await createUser(service, 'Cy');
    const queue = await listen(ada, { slim_presence: true });
    await ping(cy);
    const [event] = await queue.drain();
    expect(event).toMatchObject({ user_id: cy.userId, presence: { website: { status: 'active' } } });
    expect(event).not.toHaveProperty('email');
  });

  test('Has both times for clients with simplified presence events', async () => {
    const cy = await createUser(service, 'Cy');
    const queues = [await listen(ada, SIMPLIFIED), await listen(ada, { ...SIMPLIFIED, slim_presence: true })];
    await ping(cy);
    const presences = { [cy.userId]: (await slimPresences(ada))[cy.userId] };
    for (const queue of queues)
      expect(await queue.drain()).toEqual([{ id: expect.any(Number), type: 'presence', presences }]);
  });

  test('Has the address that every user may know', async () => {
    const cy = await createUser(service, 'Cy');
    await cy.patch('/settings', { email_address_visibility: 4 });
    const queue = await listen(service.owner);
    await ping(cy);
    const [event] = await queue.drain();
    expect(event?.email).toMatch(new RegExp(`^user${cy.userId}@`));
  });

  test('Comes once, however many of their clients report at that moment', async () => {
    const cy = await createUser(service, 'Cy');
    const queue = await listen(ada);
    await Promise.all(Array.from({ length: 6 }, () => ping(cy)));
    expect(await queue.drain()).toHaveLength(1);
  });
});

describe('A user who is present', () => {
  test('Causes no event while they report, active or idle, nor if they are active again soon', async () => {
    const cy = await createPresent(service);
    const queue = await listen(ada);
    for (const status of ['active', 'active', 'idle', 'active', 'idle']) {
      service.advance(50_000);
      await ping(cy, { status });
    }
    expect(await queue.drain()).toEqual([]);
  });

  test('Causes an event if they are active after more than 130 seconds, away or idle', async () => {
    const [cy, di] = await createUsers(service, 'Cy', 'Di');
    await ping(cy);
    await ping(di);
    const queue = await listen(ada);
    service.advance(60_000);
    await ping(di, { status: 'idle' });
    service.advance(60_000);
    await ping(di, { status: 'idle' });
    service.advance(12_000);
    await ping(cy);
    await ping(di);
    expect((await queue.drain()).map(({ user_id }) => user_id)).toEqual([cy.userId, di.userId]);
  });

  test('Causes no event if they return idle', async () => {
    const cy = await createPresent(service, { status: 'idle' });
    const queue = await listen(ada);
    service.advance(300_000);
    await ping(cy, { status: 'idle' });
    expect(await queue.drain()).toEqual([]);
  });
});

describe('Snapshot and events agree', () => {
  test.each([{}, { simplified_presence_events: true }])('On present users, for %j', async (capabilities) => {
    const [cy, di] = await createUsers(service, 'Cy', 'Di');
    const write = async () => {
      await ping(cy);
      await ping(di);
      service.advance(200_000);
      await ping(cy);
    };
    // Clients with the modern form know presences by id in the snapshot as well.
    const isModern = 'simplified_presence_events' in capabilities;
    if (!isModern) return expectConsistentSnapshot(service, observers, write, capabilities);
    const queue = await ada.register({ slim_presence: true, client_capabilities: capabilities });
    await write();
    const received = Object.assign({}, ...(await queue.drain()).map(({ presences }) => presences));
    expect({ ...queue.snapshot.presences, ...received }).toEqual(await slimPresences(ada));
  });

  test('On a deactivated user, who loses the presence', async () => {
    const cy = await createPresent(service);
    await expectConsistentSnapshot(service, observers, () => service.deactivate(cy));
    expect(await slimPresences(ada)).not.toHaveProperty(String(cy.userId));
    const reactivate = () => service.owner.post(`/users/${cy.userId}/reactivate`);
    await expectConsistentSnapshot(service, observers, reactivate);
  });

  test('On a user who hides or changes their address', async () => {
    const cy = await createPresent(service);
    const hide = () => cy.patch('/settings', { email_address_visibility: 4 });
    await expectConsistentSnapshot(service, observers, hide);
  });
});

test('No event of a return is sent among more than a hundred recent people', async () => {
  const few = await startTestService();
  const [cy, di] = await createUsers(few, 'Cy', 'Di');
  await crowd(few, 98);
  const queue = await listen(cy);
  await ping(di);
  expect(await queue.drain()).toHaveLength(1);
  await crowd(few, 101);
  few.advance(300_000);
  await ping(di);
  expect(await queue.drain()).toEqual([]);
  expect((await presenceOf(cy, di.userId)).body.presence.website.status).toBe('active');
});

/** As if this many had been there an hour ago. */
async function crowd(service: TestService, count: number): Promise<void> {
  const { table } = service.services;
  const hourAgo = secondsOf(service) - 3_600;
  const present = Array.from({ length: count }, (_, n) => [`u${100_000 + n}`, `${hourAgo} ${hourAgo}`]);
  const item = { ...userKeys.presences(999_999), ...Object.fromEntries(present) };
  await table.write({ kind: 'put', item });
  const items = await table.list({ partition: userPartitions.presences(), consistent: true });
  expect(items.flatMap(presencesIn).length).toBeGreaterThanOrEqual(count);
}
