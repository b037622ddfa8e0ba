// The operations getPresence and listPresences.
import { describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { ping, presenceOf, secondsOf } from './presences.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

describe('The presence of every user', () => {
  test('Starts empty', async () => {
    const { status, body } = await ada.get('/realm/presence');
    expect(status).toBe(200);
    expect(body).toEqual({ result: 'success', msg: '', presences: {}, server_timestamp: expect.any(Number) });
  });

  test('Has e-mail addresses as keys, in the old form', async () => {
    await ping(ada);
    await ping(bo, { status: 'idle' });
    const { body } = await ada.get('/realm/presence');
    const then = (status: string) => ({ client: 'website', status, timestamp: expect.any(Number) });
    expect(body.presences[ada.email]).toEqual({
      aggregated: then('active'),
      website: { ...then('active'), pushable: false },
    });
    expect(Object.keys(body.presences).sort()).toEqual([ada.email, bo.email].sort());
    const { server_timestamp } = body;
    expect(server_timestamp).toBeLessThanOrEqual(service.services.clock.nowMs() / 1000);
  });

  test('Excludes deactivated users, and users without a report for two weeks', async () => {
    const gone = await createUser(service, 'Gone');
    await ping(gone);
    await service.deactivate(gone);
    const { presences } = (await ada.get('/realm/presence')).body;
    expect(presences).not.toHaveProperty(gone.email);
    expect(presences).toHaveProperty(bo.email);
    service.advance(15 * 24 * 3_600_000);
    expect((await ada.get('/realm/presence')).body.presences).toEqual({});
  });
});

/** A user who reported so now. */
async function someUser(status: 'active' | 'idle' = 'active'): Promise<{ user: Client; at: number }> {
  const user = await createUser(service, 'Somebody');
  const at = secondsOf(service);
  await ping(user, { status });
  return { user, at };
}
const near = (seconds: number) =>
  expect.toSatisfy((value: number) => value >= seconds && value <= seconds + 20);

describe('The presence of a user', () => {
  test(
    'Has both times, the old form twice alike, and the time of the server',
    proves(
      'get-presence.1',
      'get-presence.3',
      'get-presence.4',
      'get-presence.5',
      'get-presence.6',
      'get-presence.7',
      'get-presence.8',
      'get-presence.11',
    ),
    async () => {
      const { user, at } = await someUser();
      const { status, body } = await presenceOf(ada, user.userId);
      expect(status).toBe(200);
      const legacy = { status: 'active', timestamp: near(at) };
      expect(body).toEqual({
        result: 'success',
        msg: '',
        server_timestamp: expect.any(Number),
        presence: {
          active_timestamp: near(at),
          idle_timestamp: near(at),
          website: legacy,
          aggregated: legacy,
        },
      });
      expect(Number.isInteger(body.presence.active_timestamp)).toBe(true);
      expect(body.presence.aggregated).toEqual(body.presence.website);
    },
  );

  test('Has the time of the server in fractions of a second', proves('get-presence.3'), async () => {
    const { user } = await someUser();
    const before = service.services.clock.nowMs() / 1000;
    const { server_timestamp } = (await presenceOf(ada, user.userId)).body;
    expect(server_timestamp).toBeGreaterThanOrEqual(before);
    expect(server_timestamp).toBeLessThanOrEqual(service.services.clock.nowMs() / 1000);
  });

  test('Has the times of the last activity and last connection', proves('get-presence.5'), async () => {
    const { user, at } = await someUser();
    service.advance(100_000);
    await ping(user, { status: 'idle' });
    const { presence } = (await presenceOf(ada, user.userId)).body;
    expect(presence).toMatchObject({ active_timestamp: near(at), idle_timestamp: near(at + 100) });
  });

  test(
    'Becomes idle in the old form if they were connected more than 70 seconds after an activity',
    proves('get-presence.6', 'get-presence.7', 'get-presence.8'),
    async () => {
      const { user, at } = await someUser();
      service.advance(58_000);
      await ping(user, { status: 'idle' });
      const early = (await presenceOf(ada, user.userId)).body.presence;
      expect(early.website).toEqual({ status: 'active', timestamp: near(at) });
      service.advance(60_000);
      await ping(user, { status: 'idle' });
      const late = (await presenceOf(ada, user.userId)).body.presence;
      expect(late.website).toEqual({ status: 'idle', timestamp: near(at + 118) });
      expect(late.aggregated).toEqual(late.website);
    },
  );

  test(
    'Becomes offline at the threshold',
    proves('get-presence.7', 'get-presence.8', 'get-presence.9'),
    async () => {
      const { user, at } = await someUser();
      service.advance(180_000);
      expect((await presenceOf(ada, user.userId)).body.presence.aggregated.status).toBe('active');
      service.advance(22_000);
      const { presence } = (await presenceOf(ada, user.userId)).body;
      const offline = { status: 'offline', timestamp: near(at) };
      expect(presence).toMatchObject({ website: offline, aggregated: offline, active_timestamp: near(at) });
      const { snapshot } = await ada.register({ fetch_event_types: ['realm'] });
      expect(snapshot.server_presence_offline_threshold_seconds).toBe(200);
    },
  );

  test('Starts with the time of joining for a user without activity', async () => {
    const { user } = await someUser('idle');
    const { presence } = (await presenceOf(ada, user.userId)).body;
    expect(presence.active_timestamp).toBeLessThanOrEqual(presence.idle_timestamp);
    expect(presence.active_timestamp).toBeGreaterThan(secondsOf(service) - 60);
  });

  test('Stays stored for ever', async () => {
    const { user, at } = await someUser();
    service.advance(40 * 24 * 3_600_000);
    const { presence } = (await presenceOf(ada, user.userId)).body;
    expect(presence.aggregated).toEqual({ status: 'offline', timestamp: near(at) });
  });
});

describe('The user in a presence request', () => {
  test('Can be given by id, or by address in any letter case', proves('get-presence.2'), async () => {
    const { user } = await someUser();
    const byId = (await presenceOf(ada, user.userId)).body.presence;
    for (const name of [user.email, user.email.toUpperCase(), `%20${user.email}`])
      expect((await presenceOf(ada, name)).body.presence).toEqual(byId);
  });

  test('Can be found by a hidden address if the caller may know it, and by its substitute always', async () => {
    const { user } = await someUser();
    await user.patch('/settings', { email_address_visibility: 3 });
    expect((await presenceOf(service.owner, user.email)).status).toBe(200);
    expectRefusal(await presenceOf(ada, user.email), 'No such user');
    expectRefusal(await presenceOf(guest, user.email), 'No such user');
    const { email } = (await ada.get(`/users/${user.userId}`)).body.user;
    expect((await presenceOf(ada, email)).status).toBe(200);
    expect((await presenceOf(ada, user.userId)).status).toBe(200);
  });

  test('Must exist and be active', proves('get-presence.10'), async () => {
    const { user } = await someUser();
    await service.deactivate(user);
    for (const name of [999_999, 0, '999999999999999999999', '-1', '1.5', user.userId, user.email])
      expectRefusal(await presenceOf(ada, name), 'No such user');
    for (const name of ['nobody@example.com', 'me', '%00', 'a'.repeat(2_000), '1e3', '0x1'])
      expectRefusal(await presenceOf(ada, name), 'No such user');
  });

  test('Must not be a bot', async () => {
    const { body } = await ada.post('/bots', { full_name: 'Robot', short_name: 'robot' });
    expectRefusal(await presenceOf(ada, body.user_id), 'Presence is not supported for bot users.');
    const { cross_realm_bots } = (await ada.register({ fetch_event_types: ['realm_user'] })).snapshot;
    for (const { user_id } of cross_realm_bots)
      expectRefusal(await presenceOf(ada, user_id), 'Presence is not supported for bot users.');
  });

  test('Must have reported once', async () => {
    const silent = await createUser(service, 'Silent');
    for (const name of [silent.userId, silent.email])
      expectRefusal(await presenceOf(ada, name), `No presence data for ${name}`);
  });

  test('Starts again after a reactivation', async () => {
    const { user } = await someUser();
    await service.deactivate(user);
    await service.owner.post(`/users/${user.userId}/reactivate`);
    expectRefusal(await presenceOf(ada, user.userId), `No presence data for ${user.userId}`);
    await service.renewKey(user);
    await ping(user);
    expect((await presenceOf(ada, user.userId)).body.presence.website.status).toBe('active');
  });
});

test('No user has presence data if the organization turned presence off', async () => {
  const { user } = await someUser();
  await service.owner.patch('/realm', { presence_disabled: true });
  expectRefusal(await presenceOf(ada, user.userId), `No presence data for ${user.userId}`);
  await service.owner.patch('/realm', { presence_disabled: false });
  expect((await presenceOf(ada, user.userId)).status).toBe(200);
});

test('A presence costs four read units by id, and no write', async () => {
  const { user } = await someUser();
  const units = await unitsOf(service, () => presenceOf(ada, user.userId));
  expect(units).toEqual({ read: 4, write: 0 });
});
