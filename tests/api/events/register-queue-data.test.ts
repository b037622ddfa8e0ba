import { describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { registerFields } from '#tests/harness/register-schema/register-schema.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { inSeconds, schedule } from '../scheduled-messages/schedules.ts';

/** The snapshot of the owner of a fresh organization. */
const service = await startTestService();
const fresh = (await service.owner.register({ apply_markdown: true })).snapshot;

const ABOUT_THE_QUEUE = new Set([
  'result',
  'msg',
  'queue_id',
  'last_event_id',
  'idle_queue_timeout_secs',
  'event_queue_longpoll_timeout_seconds',
]);

/** The names of the data in a register reply. */
const dataNames = (snapshot: Params): string[] =>
  Object.keys(snapshot)
    .filter(
      (name) =>
        !ABOUT_THE_QUEUE.has(name) && !/^(service|zulip)_(version|feature_level|merge_base)$/.test(name),
    )
    .sort();

async function fetchData(client: Client, types: string[], params: Params = {}) {
  return (await client.register({ fetch_event_types: types, ...params })).snapshot;
}

const UNREAD = ['message', 'update_message_flags'];

describe('fetch_event_types', () => {
  test.each([
    [[], []],
    [['update_message_flags'], []],
    [UNREAD, ['max_message_id', 'unread_msgs']],
    [['muted_topics'], ['muted_topics']],
    [['user_topic'], ['user_topics']],
    [['muted_topics', 'user_topic'], ['user_topics']],
    [['heartbeat'], []],
    [['no_such_type', 'message', 'message', ''], ['max_message_id']],
  ])(
    '%j returns exactly %j',
    proves('register-queue.11', 'register-queue.27', 'register-queue.30'),
    async (types, names) => {
      expect(dataNames(await fetchData(service.owner, types))).toEqual(names);
    },
  );

  test('Defaults to event_types if it is absent or null', proves('register-queue.11'), async () => {
    for (const fetch_event_types of [undefined, 'null']) {
      const { snapshot } = await service.owner.register({ event_types: ['stream'], fetch_event_types });
      expect(dataNames(snapshot)).toEqual(['streams']);
    }
  });

  test('Defaults to everything if neither is given', proves('register-queue.11'), async () => {
    for (const params of [{}, { event_types: 'null' }, { event_types: 'null', fetch_event_types: 'null' }]) {
      const names = dataNames((await service.owner.register(params)).snapshot);
      // A client that requests topic policies explicitly gets no muted topics.
      const types = Object.keys(registerFields).filter((type) => type !== 'user_topic');
      const named = dataNames(await fetchData(service.owner, [...types, 'update_message_flags']));
      expect(names).toEqual([...named, 'user_topics'].sort());
    }
  });
});

describe('A fresh organization', () => {
  test('Has no messages, channels or conversations', () => {
    expect(fresh).toMatchObject({
      max_message_id: -1,
      unread_msgs: { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false },
      recent_private_conversations: [],
      subscriptions: [],
      unsubscribed: [],
      never_subscribed: [],
      streams: [],
      realm_default_streams: [],
      scheduled_messages: [],
      realm_non_active_users: [],
    });
  });

  test('Has its owner and the bots of the service', () => {
    expect(fresh.realm_users).toMatchObject([{ user_id: service.owner.userId, role: 100 }]);
    const host = '127.0.0.1';
    expect(fresh.cross_realm_bots).toEqual(
      ['Notification Bot', 'Welcome Bot', 'Email Gateway'].map((full_name) =>
        expect.objectContaining({
          full_name,
          email: expect.stringMatching(new RegExp(`^(notification-bot|welcome-bot|emailgateway)@${host}$`)),
          is_bot: true,
          is_system_bot: true,
          is_active: true,
          bot_type: 1,
          bot_owner_id: null,
          role: 400,
        }),
      ),
    );
  });

  test('States its limits and settings', () => {
    expect(fresh).toMatchObject({
      max_message_length: 10_000,
      max_topic_length: 60,
      max_stream_name_length: 60,
      max_stream_description_length: 1024,
      realm_name: 'Team Chat',
      realm_url: service.url,
      realm_uri: service.url,
      realm_empty_topic_display_name: 'general chat',
      realm_allow_message_editing: true,
      realm_enable_read_receipts: true,
      realm_presence_disabled: false,
      realm_waiting_period_threshold: 0,
      realm_moderation_request_channel_id: -1,
      realm_new_stream_announcements_stream_id: -1,
      realm_can_delete_any_message_group: 3,
      realm_can_create_public_channel_group: 6,
      realm_can_mention_many_users_group: 3,
      server_presence_ping_interval_seconds: 60,
      server_presence_offline_threshold_seconds: 200,
      server_emoji_data_url: expect.stringMatching(/^http/),
      server_typing_started_expiry_period_milliseconds: 45_000,
    });
  });

  test('Has the start of the server as its generation, for everyone alike', async () => {
    const people = [service.owner, await createUser(service, 'Reader')];
    const data = await Promise.all(people.map((person) => fetchData(person, ['realm'])));
    const startedAtSeconds = Math.floor(performance.timeOrigin / 1000);
    for (const { server_generation } of data) expect(server_generation).toBe(startedAtSeconds);
  });

  test('Has the default settings for everyone', () => {
    expect(fresh.user_settings).toMatchObject({
      twenty_four_hour_time: false,
      starred_message_counts: true,
      emojiset: 'google',
      default_language: 'en',
      presence_enabled: true,
      wildcard_mentions_notify: true,
      enable_stream_desktop_notifications: false,
      web_inbox_show_channel_folders: true,
      available_notification_sounds: expect.arrayContaining(['ding', 'zulip']),
    });
    expect(fresh).not.toHaveProperty('twenty_four_hour_time');
  });
});

describe('People in register', () => {
  test('Come as active or not, with the caller’s own identity and rights', async () => {
    const [ada, gone] = await createUsers(service, 'Ada', 'Gone');
    const guest = await createUser(service, 'Guest', 600);
    const moderator = await createUser(service, 'Moderator', 300);
    await service.deactivate(gone);
    const snapshot = await fetchData(ada, ['realm_user']);
    const ids = (users: { user_id: number }[]) => users.map(({ user_id }) => user_id);
    expect(ids(snapshot.realm_users)).toEqual(expect.arrayContaining([ada.userId, guest.userId]));
    expect(ids(snapshot.realm_users)).not.toContain(gone.userId);
    expect(ids(snapshot.realm_non_active_users)).toContain(gone.userId);
    expect(snapshot).toMatchObject({
      user_id: ada.userId,
      email: ada.email,
      delivery_email: ada.email,
      full_name: 'Ada',
      is_admin: false,
      is_owner: false,
      is_moderator: false,
      is_guest: false,
      can_create_streams: true,
      can_create_public_streams: true,
      can_create_private_streams: true,
      can_create_web_public_streams: false,
      can_invite_others_to_realm: true,
      can_subscribe_other_users: true,
      avatar_source: 'J',
    });
    expect(await fetchData(guest, ['realm_user'])).toMatchObject({
      is_guest: true,
      can_create_streams: false,
      can_invite_others_to_realm: false,
      can_subscribe_other_users: false,
    });
    expect(await fetchData(moderator, ['realm_user'])).toMatchObject({ is_moderator: true, is_admin: false });
    expect(await fetchData(service.owner, ['realm_user'])).toMatchObject({
      is_owner: true,
      is_admin: true,
      is_moderator: true,
    });
  });

  test('Get the addresses of their own pictures in any case', proves('register-queue.4'), async () => {
    const [jo] = await createUsers(service, 'Jo');
    await service.owner.patch('/realm', { default_avatar_source: 'G' });
    const [gus] = await createUsers(service, 'Gus');
    await service.owner.patch('/realm', { default_avatar_source: 'J' });
    const own = (users: { user_id: number }[], { userId }: Client) =>
      users.find(({ user_id }) => user_id === userId);
    for (const client_gravatar of [undefined, true, false]) {
      const generated = await fetchData(jo, ['realm_user'], { client_gravatar });
      const avatar_url = `/user_avatars/j${jo.userId}.png`;
      const avatar_url_medium = `/user_avatars/j${jo.userId}-medium.png`;
      expect(generated).toMatchObject({ avatar_source: 'J', avatar_url, avatar_url_medium });
      expect(own(generated.realm_users, jo)).toMatchObject({ avatar_url });
      const gravatar = await fetchData(gus, ['realm_user'], { client_gravatar });
      const url = expect.stringMatching(/^https:\/\/secure\.gravatar\.com/);
      expect(gravatar).toMatchObject({ avatar_source: 'G', avatar_url: url, avatar_url_medium: url });
      expect(own(gravatar.realm_users, gus)).toMatchObject({
        avatar_url: client_gravatar === false ? url : null,
      });
    }
  });
});

test('Scheduled messages come only for their sender, earliest first', async () => {
  const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  const { channelId } = await createChannel(service, [ada, bo]);
  const at = inSeconds(1000);
  const message = { to: channelId, topic: '', content: '*later*' };
  const late = await schedule(ada, { ...message, scheduled_delivery_timestamp: at + 10 });
  const early = await schedule(ada, { ...message, scheduled_delivery_timestamp: at + 5 });
  await schedule(bo, message);
  const { scheduled_messages } = await fetchData(ada, ['scheduled_messages']);
  expect(scheduled_messages).toEqual([
    {
      scheduled_message_id: early,
      type: 'stream',
      to: channelId,
      topic: 'general chat',
      content: '*later*',
      rendered_content: '<p><em>later</em></p>',
      scheduled_delivery_timestamp: at + 5,
      failed: false,
    },
    expect.objectContaining({ scheduled_message_id: late }),
  ]);
  const capable = { client_capabilities: { empty_topic_name: true } };
  const { scheduled_messages: exact } = await fetchData(ada, ['scheduled_messages'], capable);
  expect(exact.map(({ topic }: { topic: string }) => topic)).toEqual(['', '']);
});
