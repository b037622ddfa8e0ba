import { describe, expect, test } from 'vitest';
import { presenceChunkOf } from '#shared/table/keys/key.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { expectDeactivated } from '#tests/api/users/accounts.ts';
import type { Client } from '#tests/harness/client.ts';
import { interrupt, reads, writes } from '#tests/harness/interruption.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createPresent, ping, presenceOf, report, secondsOf, slimPresences } from './presences.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

const timesOf = async (user: Client) => {
  const { active_timestamp, idle_timestamp } = (await presenceOf(ada, user.userId)).body.presence;
  return [active_timestamp, idle_timestamp];
};

describe('Reporting presence', () => {
  test('Sets both times if the user is active, and only the connection if idle', async () => {
    const user = await createPresent(service);
    const [active, connected] = await timesOf(user);
    expect(connected).toBe(active);
    service.advance(60_000);
    await ping(user, { status: 'idle' });
    const [stillActive, later] = await timesOf(user);
    expect(stillActive).toBe(active);
    expect(later).toBeGreaterThanOrEqual(connected + 60);
    service.advance(60_000);
    await ping(user, { status: 'active' });
    const [activeAgain, latest] = await timesOf(user);
    expect(activeAgain).toBeGreaterThanOrEqual(later + 60);
    expect(latest).toBe(activeAgain);
  });

  test('Changes nothing soon after another report, unless the user becomes active', async () => {
    const user = await createPresent(service);
    const first = await timesOf(user);
    service.advance(30_000);
    await ping(user);
    await ping(user, { status: 'idle' });
    expect(await timesOf(user)).toEqual(first);
    service.advance(30_000);
    await ping(user, { status: 'idle' });
    const [, idle] = await timesOf(user);
    service.advance(5_000);
    await ping(user, { status: 'active' });
    const [active, connected] = await timesOf(user);
    expect(active).toBeGreaterThanOrEqual((idle as number) + 5);
    expect(connected).toBe(active);
  });

  test.each(['offline', 'Active', '', ' active', '1', '"active"', 'x'.repeat(5_000), '\u0000'])(
    'Refuses the status %j',
    async (status) => {
      expectRefusal(await report(bo, { status }), `Invalid status: ${status}`);
      expectRefusal(await presenceOf(ada, bo.userId), `No presence data for ${bo.userId}`);
    },
  );
});

describe('The reply to a presence report', () => {
  test('Has no presences for a client that only reports', async () => {
    for (const params of [{ ping_only: true }, { ping_only: true, last_update_id: -1 }])
      expect(await ping(ada, params)).toEqual({ result: 'success', msg: '' });
  });

  test('Has e-mail addresses as keys in the old form', async () => {
    const user = await createPresent(service);
    const { presences, server_timestamp, presence_last_update_id } = await ping(ada);
    const [timestamp] = await timesOf(user);
    expect(presences[user.email]).toEqual({
      aggregated: { client: 'website', status: 'active', timestamp },
      website: { client: 'website', status: 'active', timestamp, pushable: false },
    });
    expect(presences).toHaveProperty(ada.email);
    expect(server_timestamp).toBeCloseTo(service.services.clock.nowMs() / 1000, -1);
    expect(presence_last_update_id).toBeGreaterThan(0);
  });

  test('Has the substitutes of hidden addresses as keys', async () => {
    const user = await createUser(service, 'Cy');
    await user.patch('/settings', { email_address_visibility: 4 });
    await ping(user);
    const { presences } = await ping(guest);
    const { email } = (await guest.get(`/users/${user.userId}`)).body.user;
    expect(presences).toHaveProperty(email);
    expect(JSON.stringify(presences)).not.toContain(user.email);
  });

  test.each([{ slim_presence: true }, { last_update_id: -1 }, { slim_presence: false, last_update_id: -1 }])(
    'Has ids as keys in the modern form for %j',
    async (params) => {
      const user = await createPresent(service);
      const { presences, server_timestamp, presence_last_update_id } = await ping(ada, params);
      const [active_timestamp, idle_timestamp] = await timesOf(user);
      expect(presences[user.userId]).toEqual({ active_timestamp, idle_timestamp });
      expect(presences).toHaveProperty(String(ada.userId));
      expect(server_timestamp).toEqual(expect.any(Number));
      expect(presence_last_update_id).toBeGreaterThanOrEqual(idle_timestamp);
    },
  );
});

describe('A client that continues from an update id', () => {
  test('Gets only the users that changed since', async () => {
    const [cy, di, ed] = await createUsers(service, 'Cy', 'Di', 'Ed');
    await ping(cy);
    service.advance(60_000);
    const first = await ping(di, { last_update_id: -1 });
    service.advance(60_000);
    await ping(ed);
    service.advance(20_000);
    const second = await ping(di, { last_update_id: first.presence_last_update_id });
    expect(Object.keys(second.presences)).toEqual([di.userId, ed.userId].map(String));
    expect(second.presence_last_update_id).toBeGreaterThan(first.presence_last_update_id);
    service.advance(60_000);
    await ping(cy, { status: 'idle' });
    const third = await ping(di, { last_update_id: second.presence_last_update_id, status: 'idle' });
    expect(Object.keys(third.presences)).toEqual([cy.userId, di.userId].map(String));
  });

  test('Keeps its id while nothing changes', async () => {
    const cy = await createUser(service, 'Cy');
    const { presence_last_update_id: id } = await ping(cy, { last_update_id: -1 });
    service.advance(30_000);
    const next = await ping(cy, { last_update_id: id + 20, status: 'idle' });
    expect(next).toMatchObject({ presences: {}, presence_last_update_id: id + 20 });
  });

  test('Misses nothing that was reported at the same moment', async () => {
    const [cy, di] = await createUsers(service, 'Cy', 'Di');
    const { presence_last_update_id } = await ping(cy, { last_update_id: -1 });
    await ping(di);
    const { presences } = await ping(cy, { last_update_id: presence_last_update_id });
    expect(presences).toHaveProperty(String(di.userId));
  });

  test('Can continue from the id of register', async () => {
    const [cy, di] = await createUsers(service, 'Cy', 'Di');
    service.advance(60_000);
    await ping(cy);
    const { snapshot } = await cy.register({ fetch_event_types: ['presence'], slim_presence: true });
    expect(snapshot.presences).toHaveProperty(String(cy.userId));
    service.advance(60_000);
    await ping(di);
    const { presences } = await ping(cy, { last_update_id: snapshot.presence_last_update_id });
    expect(Object.keys(presences)).toEqual([cy.userId, di.userId].map(String));
  });

  test('Starts over with an id that was never used', async () => {
    await ping(bo);
    const reply = await ping(ada, { last_update_id: Number.MAX_SAFE_INTEGER });
    expect(reply.presences).toHaveProperty(String(bo.userId));
    expect(reply.presence_last_update_id).toBeLessThanOrEqual(secondsOf(service));
  });
});

describe('The history of a presence report', () => {
  const DAY_MS = 24 * 3_600_000;

  test('Covers two weeks, or the number of days in the request', async () => {
    const cy = await createPresent(service);
    service.advance(13 * DAY_MS);
    const lists = (params: object) => ping(ada, { slim_presence: true, ...params });
    const name = String(cy.userId);
    expect((await lists({})).presences).toHaveProperty(name);
    expect((await lists({ history_limit_days: 12 })).presences).not.toHaveProperty(name);
    service.advance(2 * DAY_MS);
    expect((await lists({})).presences).not.toHaveProperty(name);
    expect((await lists({ history_limit_days: 16, last_update_id: -1 })).presences).toHaveProperty(name);
    expect((await lists({ history_limit_days: Number.MAX_SAFE_INTEGER })).presences).toHaveProperty(name);
  });

  test('Contains no user for zero days', async () => {
    await ping(bo);
    const nobody = { presences: {}, presence_last_update_id: -1 };
    expect(await ping(ada, { slim_presence: true, history_limit_days: 0 })).toMatchObject(nobody);
  });
});

describe('An organization without presence', () => {
  test('Stores and returns none', async () => {
    const cy = await createUser(service, 'Cy');
    await ping(bo);
    await service.owner.patch('/realm', { presence_disabled: true });
    const queue = await ada.listen({ event_types: ['presence'] });
    for (const params of [{}, { slim_presence: true }, { last_update_id: 1_000 }])
      expect(await ping(cy, params)).toMatchObject({ presences: {}, presence_last_update_id: -1 });
    expect(await slimPresences(ada)).toEqual({});
    expect(await queue.drain()).toEqual([]);
    await service.owner.patch('/realm', { presence_disabled: false });
    expectRefusal(await presenceOf(ada, cy.userId), `No presence data for ${cy.userId}`);
    expect(await slimPresences(ada)).toHaveProperty(String(bo.userId));
  });
});

test('A report with new input counts as activity of the day, and one without does not', async () => {
  const [cy, di] = await createUsers(service, 'Cy', 'Di');
  service.advance(20 * 24 * 3_600_000);
  await ping(cy, { new_user_input: true, ping_only: true });
  await ping(di, { ping_only: true });
  const { table } = service.services;
  const days = await Promise.all(
    [cy, di].map(async ({ userId }) => (await table.find(userKeys.user(userId)))?.lastActiveDay),
  );
  expect(days).toEqual([Math.floor(secondsOf(service) / 86_400), undefined]);
});

test('A report is refused if its user is deactivated meanwhile, and stores no presence', async () => {
  const user = await createUser(service, 'Cy');
  const chunk = userKeys.presences(presenceChunkOf(user.userId));
  for (const calls of [{ find: reads(chunk) }, { transact: writes(chunk) }]) {
    interrupt(service, calls, () => service.deactivate(user));
    expectDeactivated(await report(user));
    expect(await slimPresences(ada)).not.toHaveProperty(String(user.userId));
    await service.owner.post(`/users/${user.userId}/reactivate`);
    await service.renewKey(user);
  }
});

test('Reports of two clients at once count as the later one', async () => {
  const user = await createPresent(service, { status: 'idle' });
  service.advance(60_000);
  const chunk = userKeys.presences(presenceChunkOf(user.userId));
  const other = interrupt(service, { write: writes(chunk) }, () => ping(user));
  await ping(user, { status: 'idle' });
  expect(other.hasHappened()).toBe(true);
  const { presence } = (await presenceOf(ada, user.userId)).body;
  expect(presence.active_timestamp).toBe(presence.idle_timestamp);
});
