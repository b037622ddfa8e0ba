import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { roles } from '#shared/domain/users/user.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { alwaysThere, registerFields, unreadFields } from '#tests/harness/register-schema/register-schema.ts';
import { startTestService } from '#tests/harness/service.ts';
import { schedule } from '../scheduled-messages/schedules.ts';

const people: Record<string, Client> = {};

const service = await startTestService();
const { owner } = service;
people.owner = owner;
people.administrator = await service.createUser('Admin', roles.administrator);
people.member = await service.createUser('Member');
people.guest = await service.createUser('Guest', roles.guest);
const all = Object.values(people).map(({ userId }) => userId);
await owner.subscribe('open', { principals: all });
await owner.subscribe('closed', { invite_only: true, principals: all.slice(0, 2) });
await owner.subscribe('left', { is_default_stream: true });
await people.member.subscribe('left');
await people.member.delete('/users/me/subscriptions', { subscriptions: ['left'] });
await owner.send('open', 'topic', 'hello');
await owner.sendDirect([people.member.userId], 'hello');
await owner.sendDirect(all, 'hello all');
await schedule(owner, { type: 'direct', to: [people.member.userId] });
await service.settle();

const roleNames = ['owner', 'administrator', 'member', 'guest'];
const types = Object.keys(registerFields);
const everything = z.strictObject({
  ...alwaysThere,
  ...unreadFields,
  ...Object.assign({}, ...Object.values(registerFields)),
});

const problemsOf = (schema: z.ZodType, snapshot: Params): string[] => {
  const parsed = schema.safeParse(snapshot);
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

describe('The data of register', () => {
  test.each(roleNames)(
    'Has every field of the protocol, of its type and no other, for the %s',
    proves('register-queue.1', 'register-queue.subscription-fields'),
    async (name) => {
      const requests: Params[] = [
        {},
        { include_subscribers: true, slim_presence: true, client_gravatar: false },
        { include_subscribers: 'partial', client_capabilities: { archived_channels: true } },
      ];
      for (const request of requests) {
        const { snapshot } = await people[name]!.register(request);
        expect(problemsOf(everything, snapshot)).toEqual([]);
      }
    },
  );

  test.each(types)('Has for %s exactly its own fields', proves('register-queue.29'), async (type) => {
    const { snapshot } = await people.member!.register({ fetch_event_types: [type] });
    const schema = z.strictObject({ ...alwaysThere, ...registerFields[type] });
    expect(problemsOf(schema, snapshot)).toEqual([]);
  });
});

describe('Existing clients', () => {
  const namesIn = (list: string): string[] => list.trim().split(/\s+/);
  /** The parameters of the mobile client. */
  const mobile = {
    apply_markdown: true,
    client_gravatar: false,
    slim_presence: true,
    client_capabilities: {
      notification_settings_null: true,
      bulk_message_deletion: true,
      user_avatar_url_field_optional: true,
      stream_typing_notifications: true,
      user_settings_object: true,
      include_deactivated_groups: true,
      empty_topic_name: true,
      individual_emoji_changes: true,
    },
  };
  const neededByMobile = namesIn(`
    queue_id last_event_id zulip_version zulip_feature_level zulip_merge_base alert_words
    custom_profile_fields max_message_id muted_users presences realm_user_groups realm_emoji realm_users
    realm_non_active_users cross_realm_bots recent_private_conversations subscriptions unread_msgs
    starred_messages streams user_settings user_status user_topics max_topic_length max_stream_name_length
    max_file_upload_size_mib server_presence_ping_interval_seconds
    server_presence_offline_threshold_seconds server_emoji_data_url event_queue_longpoll_timeout_seconds
    realm_name realm_icon_url realm_waiting_period_threshold realm_wildcard_mention_policy
    realm_allow_message_editing realm_enable_read_receipts realm_presence_disabled
    realm_default_external_accounts server_typing_started_expiry_period_milliseconds
    server_typing_stopped_wait_period_milliseconds server_typing_started_wait_period_milliseconds`);

  test.each(roleNames)('Can start on telephones, as the %s', async (name) => {
    const { snapshot } = await people[name]!.register(mobile);
    expect(neededByMobile.filter((field) => (snapshot[field] ?? null) === null)).toEqual([]);
    expect(snapshot.user_settings).toMatchObject({
      twenty_four_hour_time: expect.any(Boolean),
      starred_message_counts: expect.any(Boolean),
      display_emoji_reaction_users: expect.any(Boolean),
      emojiset: expect.any(String),
      presence_enabled: expect.any(Boolean),
    });
  });

  test.each(roleNames)('Can start in terminals, as the %s', async (name) => {
    const { snapshot } = await people[name]!.register({
      apply_markdown: true,
      client_gravatar: true,
      include_subscribers: true,
      event_types: namesIn(`
        message update_message reaction submessage subscription typing update_message_flags user_settings
        realm_emoji realm_user`),
      fetch_event_types: namesIn(`
        realm presence subscription message starred_messages update_message_flags muted_topics realm_user
        realm_user_groups user_settings realm_emoji custom_profile_fields zulip_version`),
    });
    const needed = namesIn(`
      realm_message_retention_days realm_name realm_emoji realm_user_groups cross_realm_bots
      custom_profile_fields subscriptions zulip_version user_settings muted_topics unread_msgs
      starred_messages presences user_id email full_name realm_users`);
    expect(needed.filter((field) => snapshot[field] === undefined)).toEqual([]);
    for (const subscription of snapshot.subscriptions)
      expect(subscription).toMatchObject({
        subscribers: expect.any(Array),
        is_muted: expect.any(Boolean),
        in_home_view: expect.any(Boolean),
        wildcard_mentions_notify: expect.any(Boolean),
      });
  });
});
