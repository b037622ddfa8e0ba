import * as z from 'zod';
import { channelFields, folder, subscribers, subscriptionFields } from './channels.ts';
import { realmFields } from './organization.ts';
import { draft, navigationView, savedSnippet } from './own.ts';
import { bot, emoji, group, legacyPresence, profileField, slimPresence, user, userStatus } from './people.ts';
import { userSettingsFields } from './user-settings.ts';
import { id, onlyBooleans, onlyTexts, seconds } from './values.ts';

/** The JSON types of everything that register returns, written from the protocol. */

const unread = { unread_message_ids: z.array(id) };
const unreadMessages = z.strictObject({
  count: id,
  pms: z.array(z.strictObject({ other_user_id: id, sender_id: id, ...unread })),
  streams: z.array(z.strictObject({ stream_id: id, topic: z.string(), ...unread })),
  huddles: z.array(z.strictObject({ user_ids_string: z.string().regex(/^\d+(,\d+)*$/), ...unread })),
  mentions: z.array(id),
  old_unreads_missing: z.boolean(),
});

const device = z.strictObject({
  push_key_id: z.int().min(0).nullable(),
  push_token_id: z.string().nullable(),
  pending_push_token_id: z.string().nullable(),
  push_token_last_updated_timestamp: seconds.nullable(),
  push_registration_error_code: z.string().nullable(),
});

const topicPreference = z.strictObject({
  stream_id: id,
  topic_name: z.string(),
  last_updated: seconds,
  visibility_policy: z.literal([1, 2, 3]),
});

/** The fields of each fetch type, with the required ones. */
export const registerFields: Record<string, z.ZodRawShape> = {
  alert_words: { alert_words: z.array(z.string()) },
  channel_folders: { channel_folders: z.array(folder) },
  custom_profile_fields: {
    custom_profile_fields: z.array(profileField),
    custom_profile_field_types: z.record(z.string(), z.strictObject({ id, name: z.string() })),
  },
  default_stream_groups: {
    realm_default_stream_groups: z.array(
      z.strictObject({ id, name: z.string(), description: z.string(), streams: z.array(id) }),
    ),
  },
  default_streams: { realm_default_streams: z.array(id) },
  device: { devices: z.record(z.string().regex(/^\d+$/), device) },
  drafts: { drafts: z.array(draft) },
  giphy: { giphy_api_key: z.string() },
  klipy: { klipy_api_key: z.string() },
  message: { max_message_id: z.int().min(-1) },
  muted_topics: { muted_topics: z.array(z.tuple([z.string(), z.string(), seconds])) },
  muted_users: { muted_users: z.array(z.strictObject({ id, timestamp: seconds })) },
  navigation_views: { navigation_views: z.array(navigationView) },
  onboarding_steps: {
    onboarding_steps: z.array(z.looseObject({})),
    navigation_tour_video_url: z.string().nullable(),
  },
  presence: {
    presences: z.union([
      z.record(z.string().regex(/^\d+$/), slimPresence),
      z.record(z.email(), legacyPresence),
    ]),
    presence_last_update_id: z.int().min(-1),
    server_timestamp: z.number(),
  },
  realm: realmFields,
  realm_billing: { realm_billing: z.strictObject({ has_pending_sponsorship_request: z.boolean() }) },
  realm_bot: { realm_bots: z.array(bot) },
  realm_domains: {
    realm_domains: z.array(z.strictObject({ domain: z.string(), allow_subdomains: z.boolean() })),
  },
  realm_embedded_bots: { realm_embedded_bots: z.array(z.looseObject({})) },
  realm_emoji: { realm_emoji: z.record(z.string().regex(/^\d+$/), emoji) },
  realm_incoming_webhook_bots: { realm_incoming_webhook_bots: z.array(z.looseObject({})) },
  realm_linkifiers: {
    realm_linkifiers: z.array(
      z.strictObject({
        id,
        pattern: z.string(),
        url_template: z.string(),
        example_input: z.string().nullable(),
        reverse_template: z.string().nullable(),
        alternative_url_templates: z.array(z.string()),
      }),
    ),
    realm_filters: z.array(z.unknown()),
  },
  realm_playgrounds: {
    realm_playgrounds: z.array(
      z.strictObject({ id, name: z.string(), pygments_language: z.string(), url_template: z.string() }),
    ),
  },
  realm_user: {
    realm_users: z.array(user),
    realm_non_active_users: z.array(user),
    cross_realm_bots: z.array(user),
    avatar_source: z.enum(['G', 'U', 'J']),
    avatar_url: z.string().nullable(),
    avatar_url_medium: z.string().nullable(),
    ...onlyBooleans(`
    can_create_private_streams can_create_public_streams can_create_web_public_streams
    can_create_streams can_invite_others_to_realm can_subscribe_other_users is_admin is_owner is_guest is_moderator
  `),
    ...onlyTexts(`
    email delivery_email full_name
  `),
    user_id: id,
  },
  realm_user_groups: { realm_user_groups: z.array(group) },
  realm_user_settings_defaults: { realm_user_settings_defaults: z.looseObject({}) },
  recent_private_conversations: {
    recent_private_conversations: z.array(z.strictObject({ max_message_id: id, user_ids: z.array(id) })),
  },
  reminders: {
    reminders: z.array(
      z.strictObject({
        reminder_id: id,
        type: z.literal('private'),
        to: z.array(id).length(1),
        content: z.string(),
        rendered_content: z.string(),
        scheduled_delivery_timestamp: seconds,
        failed: z.boolean(),
        reminder_target_message_id: id,
      }),
    ),
  },
  saved_snippets: { saved_snippets: z.array(savedSnippet) },
  scheduled_messages: {
    scheduled_messages: z.array(
      z.strictObject({
        scheduled_message_id: id,
        type: z.enum(['stream', 'private']),
        to: z.union([id, z.array(id)]),
        topic: z.string().optional(),
        content: z.string(),
        rendered_content: z.string(),
        scheduled_delivery_timestamp: seconds,
        failed: z.boolean(),
      }),
    ),
  },
  starred_messages: { starred_messages: z.array(id) },
  stop_words: { stop_words: z.array(z.string()) },
  stream: { streams: z.array(z.strictObject(channelFields)) },
  subscription: {
    subscriptions: z.array(z.strictObject(subscriptionFields)),
    unsubscribed: z.array(z.strictObject(subscriptionFields)),
    never_subscribed: z.array(z.strictObject({ ...channelFields, ...subscribers })),
  },
  tenor: { tenor_api_key: z.string() },
  user_settings: { user_settings: z.strictObject(userSettingsFields) },
  user_status: { user_status: z.record(z.string().regex(/^\d+$/), userStatus) },
  user_topic: { user_topics: z.array(topicPreference) },
  video_calls: { has_zoom_token: z.boolean() },
};

/** The fields of every reply, and the fields that need two types. */
export const alwaysThere = {
  result: z.literal('success'),
  msg: z.literal(''),
  queue_id: z.string(),
  last_event_id: z.int().min(-1),
  idle_queue_timeout_secs: z.int(),
  event_queue_longpoll_timeout_seconds: z.int(),
  service_version: z.string(),
  service_feature_level: z.int(),
  service_merge_base: z.string(),
  zulip_version: z.string(),
  zulip_feature_level: z.int(),
  zulip_merge_base: z.string(),
};
export const unreadFields = { unread_msgs: unreadMessages };
