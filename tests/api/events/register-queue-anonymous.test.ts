import { beforeEach, describe, expect, test } from 'vitest';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { proves } from '#tests/conformance/proves.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const { owner } = service;
const openId = await owner.subscribe('open to all');
await owner.subscribe('for members');
await owner.subscribe('for few', { invite_only: true, can_subscribe_group: 6 });
const key = channelKeys.channel(openId);
await service.services.table.write({ kind: 'update', key, set: { isWebPublic: true } });
await owner.send('open to all', 'topic', 'hello world');
await createUsers(service, ...Array.from({ length: 9 }, (_, n) => `Person ${'abcdefghi'[n]}`));
await service.settle();
beforeEach(async () => {
  await service.owner.patch('/realm', { enable_spectator_access: true });
});

const register = (form: Record<string, string> = {}) => sendForm(service.url, '/register', form);

describe('Register without an account', () => {
  test('Returns the addresses of all pictures, also if clients with an account may compute them', async () => {
    await service.owner.patch('/realm', { default_avatar_source: 'G' });
    const person = await createUser(service, 'At Gravatar');
    await service.owner.patch('/realm', { default_avatar_source: 'J' });
    const { realm_users } = (await register()).body;
    const shown = realm_users.find(({ user_id }: { user_id: number }) => user_id === person.userId);
    expect(shown.avatar_url).toMatch(/^https:\/\/secure\.gravatar\.com\//);
    for (const { avatar_url } of realm_users) expect(avatar_url).toMatch(/^(https:\/)?\//);
  });

  test('Returns as much as a reply holds: channels before people', async () => {
    const { snapshotBytes } = service.services.config;
    const usual = { ...snapshotBytes };
    const whole = (await register()).body;
    const written = (body: unknown): number => Buffer.byteLength(JSON.stringify(JSON.stringify(body)));
    const people = whole.realm_users.length;
    expect(people).toBeGreaterThan(1);
    try {
      for (const missing of [1_500, 4_000]) {
        const bytes = written(whole) - missing;
        Object.assign(snapshotBytes, { plain: bytes, compressed: bytes });
        const { status, body } = await register();
        expect(status).toBe(200);
        expect(written(body)).toBeLessThan(written(whole));
        expect(body.realm_users.length).toBeLessThan(people);
        expect(body.streams).toEqual(whole.streams);
        expect(body.realm_name).toBe(whole.realm_name);
        expect(body.queue_id).toBeNull();
      }
      Object.assign(snapshotBytes, { plain: 1, compressed: 1 });
      const { status, body } = await register();
      expect(status).toBe(200);
      expect([body.streams, body.realm_users]).toEqual([[], []]);
      for (const group of body.realm_user_groups) expect(group.is_system_group).toBe(true);
      expect(body.realm_user_groups).toEqual(whole.realm_user_groups);
    } finally {
      Object.assign(snapshotBytes, usual);
    }
  });

  test(
    'Returns no queue, and the public data of the organization',
    proves('register-queue.23', 'register-queue.24', 'register-queue.44'),
    async () => {
      const { status, body } = await register();
      expect(status).toBe(200);
      expect(body).toMatchObject({ queue_id: null, last_event_id: -1, realm_name: expect.any(String) });
      const open = [{ name: 'open to all' }];
      expect(body).toMatchObject({ streams: open, never_subscribed: open, subscriptions: [] });
      const ofQueue = ['idle_queue_timeout_secs', 'unread_msgs', 'drafts', 'scheduled_messages'];
      for (const name of [...ofQueue, 'user_id', 'email', 'delivery_email'])
        expect(body).not.toHaveProperty(name);
      expect(body).toMatchObject({ is_admin: false, is_owner: false, can_create_streams: false });
    },
  );

  test('Returns the system groups, and none that a user made', async () => {
    const made = { name: 'layoffs', description: 'Who goes next', members: [service.owner.userId] };
    expect((await service.owner.post('/user_groups/create', made)).status).toBe(200);
    const { body } = await register();
    expect(JSON.stringify(body)).not.toMatch(/layoffs|Who goes next/);
    expect(body.realm_user_groups.length).toBeGreaterThan(0);
    for (const group of body.realm_user_groups) expect(group.is_system_group).toBe(true);
  });

  test('Returns only the requested types, and never those about an account', async () => {
    const types = '["stream","message","alert_words"]';
    const event_types = '["realm"]';
    for (const form of [
      { fetch_event_types: types },
      { event_types: types },
      { fetch_event_types: types, event_types },
      { fetch_event_types: 'null', event_types: types },
    ]) {
      const { body } = await register(form);
      expect(body.streams).toHaveLength(1);
      for (const name of ['realm_name', 'max_message_id', 'alert_words'])
        expect(body).not.toHaveProperty(name);
    }
  });

  test(
    'Refuses subscribers and Gravatar addresses',
    proves('register-queue.5', 'register-queue.7'),
    async () => {
      for (const [name, value] of [
        ['client_gravatar', 'true'],
        ['include_subscribers', 'true'],
        ['include_subscribers', 'partial'],
      ] as const)
        expectRefusal(await register({ [name]: value }), `Invalid '${name}' parameter for anonymous request`);
      expect((await register({ client_gravatar: 'false', include_subscribers: 'false' })).status).toBe(200);
    },
  );

  test('Fails if the organization shows nothing to the world', proves('register-queue.44'), async () => {
    await service.owner.patch('/realm', { enable_spectator_access: false });
    const refusal = { status: 401, code: 'UNAUTHORIZED' };
    const msg = 'Not logged in: API authentication or user session required';
    expectRefusal(await register(), msg, refusal);
  });
});
