import { describe, expect, test } from 'vitest';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { ping, presenceOf } from '#tests/api/presence/presences.ts';
import { PALM, saying } from '#tests/api/user-statuses/statuses.ts';
import { proves } from '#tests/conformance/proves.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const DAY_MS = 24 * 3_600_000;

const service = await startTestService({ webPublicChannels: true });
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const register = async (client: Client, params: Params = {}) =>
  (await client.register({ fetch_event_types: ['presence', 'user_status'], ...params })).snapshot;

describe('Presences in the reply of register', () => {
  test('Start empty', async () => {
    expect(await register(ada)).toMatchObject({
      presences: {},
      presence_last_update_id: -1,
      server_timestamp: expect.any(Number),
      user_status: {},
    });
  });

  test('Have e-mail addresses as keys in the old form, which terminal clients read', async () => {
    await ping(bo);
    const { presences } = await register(ada);
    const timestamp = (await presenceOf(ada, bo.userId)).body.presence.active_timestamp;
    const aggregated = { client: 'website', status: 'active', timestamp };
    expect(presences).toEqual({ [bo.email]: { aggregated, website: { ...aggregated, pushable: false } } });
  });

  test('Have ids as keys and both times with slim presence', proves('register-queue.8'), async () => {
    await ping(bo);
    const { active_timestamp, idle_timestamp } = (await presenceOf(ada, bo.userId)).body.presence;
    const { presences, presence_last_update_id } = await register(ada, { slim_presence: true });
    expect(presences).toEqual({ [bo.userId]: { active_timestamp, idle_timestamp } });
    expect(presence_last_update_id).toBe(idle_timestamp);
  });

  test('Cover two weeks, or as many days as the client requests', proves('register-queue.9'), async () => {
    await ping(bo);
    service.advance(10 * DAY_MS);
    const listed = async (params: Params) =>
      Object.keys((await register(ada, { slim_presence: true, ...params })).presences);
    const name = String(bo.userId);
    expect(await listed({})).toEqual([name]);
    expect(await listed({ presence_history_limit_days: 9 })).toEqual([]);
    service.advance(5 * DAY_MS);
    expect(await listed({})).toEqual([]);
    expect(await listed({ presence_history_limit_days: 16 })).toEqual([name]);
    expect(await listed({ presence_history_limit_days: 0 })).toEqual([]);
  });
});

test('A user without an account sees neither presences nor statuses', async () => {
  const cy = await createUser(service, 'Cy');
  await ping(cy);
  await saying(cy, { status_text: 'here', ...PALM });
  const channelId = await service.owner.subscribe('open to all');
  const { table } = service.services;
  await table.write({ kind: 'update', key: channelKeys.channel(channelId), set: { isWebPublic: true } });
  await service.owner.patch('/realm', { enable_spectator_access: true });
  const { status, body } = await sendForm(service.url, '/register', {});
  expect(status).toBe(200);
  expect(body).toMatchObject({ presences: {}, presence_last_update_id: -1, user_status: {} });
  const own = await register(cy);
  expect(own.presences).toHaveProperty(cy.email);
  expect(own.user_status).toHaveProperty(String(cy.userId));
});
