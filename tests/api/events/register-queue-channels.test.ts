import { describe, expect, test } from 'vitest';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { ping, presenceOf } from '#tests/api/presence/presences.ts';
import { PALM, saying } from '#tests/api/user-statuses/statuses.ts';
import { proves } from '#tests/conformance/proves.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { archiveChannel, createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService({ webPublicChannels: true });

async function fetchData(client: Client, types: string[], params: Params = {}) {
  return (await client.register({ fetch_event_types: types, ...params })).snapshot;
}

describe('Channels in register', () => {
  const types = ['subscription', 'stream'];
  const find = (list: { stream_id: number }[], channelId: number) =>
    list.find(({ stream_id }) => stream_id === channelId);

  test(
    'Have every field of a subscription record if the user is subscribed',
    proves('register-queue.30', 'register-queue.subscription-fields', 'register-queue.38'),
    async () => {
      const [ada] = await createUsers(service, 'Ada');
      const silently = { send_new_subscription_messages: false };
      const { name, channelId } = await createChannel(service, [ada], silently);
      const client_capabilities = { notification_settings_null: true };
      const snapshot = await fetchData(ada, types, { client_capabilities });
      const channel = {
        stream_id: channelId,
        name,
        description: '',
        rendered_description: '',
        date_created: expect.any(Number),
        creator_id: ada.userId,
        default_push_notifications: false,
        invite_only: false,
        is_web_public: false,
        is_archived: false,
        history_public_to_subscribers: true,
        first_message_id: expect.any(Number),
        folder_id: null,
        topics_policy: 'inherit',
        is_recently_active: true,
        stream_weekly_traffic: null,
        subscriber_count: 1,
        message_retention_days: null,
        stream_post_policy: 1,
        is_announcement_only: false,
        can_add_subscribers_group: 1,
        can_administer_channel_group: { direct_members: [ada.userId], direct_subgroups: [] },
        can_create_topic_group: 7,
        can_delete_any_message_group: 1,
        can_delete_own_message_group: 1,
        can_move_messages_out_of_channel_group: 1,
        can_move_messages_within_channel_group: 1,
        can_remove_subscribers_group: 3,
        can_resolve_topics_group: 1,
        can_send_message_group: 7,
        can_subscribe_group: 1,
      };
      expect(find(snapshot.streams, channelId)).toEqual(channel);
      expect(find(snapshot.subscriptions, channelId)).toEqual({
        ...channel,
        color: expect.stringMatching(/^#[0-9a-f]{6}$/),
        is_muted: false,
        in_home_view: true,
        pin_to_top: false,
        desktop_notifications: null,
        audible_notifications: null,
        push_notifications: null,
        email_notifications: null,
        wildcard_mentions_notify: null,
      });
    },
  );

  test(
    'Show inherited notification settings as the values they have to clients that cannot read null',
    proves('register-queue.18', 'register-queue.38'),
    async () => {
      const [ada] = await createUsers(service, 'Ada');
      const { channelId } = await createChannel(service, [ada]);
      for (const client_capabilities of [undefined, {}, { notification_settings_null: false }]) {
        const { subscriptions } = await fetchData(ada, types, { client_capabilities });
        expect(find(subscriptions, channelId)).toMatchObject({
          desktop_notifications: false,
          audible_notifications: false,
          push_notifications: false,
          email_notifications: false,
          wildcard_mentions_notify: true,
        });
      }
    },
  );

  test('Have subscribers only on request', proves('register-queue.6', 'register-queue.39'), async () => {
    const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
    const { channelId } = await createChannel(service, [ada, bo]);
    const userIds = [ada.userId, bo.userId];
    for (const include_subscribers of [undefined, 'false', false]) {
      const { subscriptions } = await fetchData(ada, types, { include_subscribers });
      expect(find(subscriptions, channelId)).not.toHaveProperty('subscribers');
    }
    for (const include_subscribers of ['true', true, 'partial']) {
      const { subscriptions } = await fetchData(ada, types, { include_subscribers });
      expect(find(subscriptions, channelId)).toMatchObject({ subscribers: userIds });
      const { never_subscribed } = await fetchData(cy, types, { include_subscribers });
      expect(find(never_subscribed, channelId)).toMatchObject({ subscribers: userIds });
    }
  });

  test('Come as subscribed, unsubscribed and never subscribed, as far as the user may know them', async () => {
    const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
    const guest = await createUser(service, 'Guest', 600);
    const open = await createChannel(service, [ada]);
    const left = await createChannel(service, [ada, bo]);
    const secret = await createChannel(service, [ada], { invite_only: true });
    const entered = await createChannel(service, [ada, guest]);
    await bo.delete('/users/me/subscriptions', { subscriptions: [left.name] });
    const places = async (client: Client, channelId: number) => {
      const snapshot = await fetchData(client, types);
      const lists = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'];
      return lists.filter((list) => find(snapshot[list], channelId));
    };
    expect(await places(bo, open.channelId)).toEqual(['streams', 'never_subscribed']);
    expect(await places(bo, left.channelId)).toEqual(['streams', 'unsubscribed']);
    expect(await places(bo, secret.channelId)).toEqual([]);
    expect(await places(ada, secret.channelId)).toEqual(['streams', 'subscriptions']);
    expect(await places(guest, open.channelId)).toEqual([]);
    expect(await places(guest, secret.channelId)).toEqual([]);
    expect(await places(guest, entered.channelId)).toEqual(['streams', 'subscriptions']);
  });

  test('Include archived ones only for clients that support them', proves('register-queue.21'), async () => {
    const [ada] = await createUsers(service, 'Ada');
    const archived = await createChannel(service, [ada]);
    await archiveChannel(service, archived);
    const plain = await fetchData(ada, types);
    const capable = await fetchData(ada, types, { client_capabilities: { archived_channels: true } });
    for (const list of ['streams', 'subscriptions']) {
      expect(find(plain[list], archived.channelId)).toBeUndefined();
      expect(find(capable[list], archived.channelId)).toMatchObject({ is_archived: true });
    }
  });
});

const DAY_MS = 24 * 3_600_000;

const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const register = (client: Client, params: Params = {}) =>
  fetchData(client, ['presence', 'user_status'], params);

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
