import { limits } from '#shared/domain/channels/channel.ts';
import { reportTypes } from '#shared/domain/messages/report.ts';
import { EMPTY_TOPIC_DISPLAY_NAME } from '#shared/domain/messages/topic.ts';
import { OFFLINE_THRESHOLD_SECONDS, PING_INTERVAL_SECONDS } from '#shared/domain/presence/presence.ts';
import { defaultExternalAccounts } from '#shared/domain/profile/external-accounts.ts';
import { THUMBNAIL } from '#shared/domain/uploads/thumbnail.ts';
import { legacyCreationPolicy, legacyMentionPolicy } from './legacy-policies.ts';
import { mailDomainOf, type Organization } from './organization.ts';
import { describePermissionSettings } from './permission-settings.ts';
import { describePicture } from './pictures.ts';

const sizeLimits = {
  max_message_length: limits.message,
  max_topic_length: limits.topic,
  max_stream_name_length: limits.channelName,
  max_stream_description_length: limits.channelDescription,
  max_channel_folder_name_length: 60,
  max_channel_folder_description_length: 1024,
  max_reminder_note_length: 1000,
  max_bulk_new_subscription_messages: 100,
  max_avatar_file_size_mib: 4,
  max_icon_file_size_mib: 4,
  max_logo_file_size_mib: 4,
  password_min_length: 6,
  password_max_length: 100,
  password_min_guesses: 10_000,
};

const serverData = {
  server_needs_upgrade: false,
  settings_send_digest_emails: true,
  server_presence_ping_interval_seconds: PING_INTERVAL_SECONDS,
  server_presence_offline_threshold_seconds: OFFLINE_THRESHOLD_SECONDS,
  server_typing_started_expiry_period_milliseconds: 45_000,
  server_typing_stopped_wait_period_milliseconds: 12_000,
  server_typing_started_wait_period_milliseconds: 30_000,
  server_inline_image_preview: true,
  server_inline_url_embed_preview: true,
  server_avatar_changes_disabled: false,
  server_name_changes_disabled: false,
  server_can_summarize_topics: false,
  server_thumbnail_formats: [
    {
      name: THUMBNAIL.name,
      max_width: THUMBNAIL.width,
      max_height: THUMBNAIL.height,
      format: 'webp',
      animated: false,
    },
  ],
  server_min_deactivated_realm_deletion_days: null,
  server_max_deactivated_realm_deletion_days: null,
  server_jitsi_server_url: 'https://meet.jit.si',
  jitsi_server_url: 'https://meet.jit.si',
  server_report_message_types: reportTypes,
  development_environment: false,
  zulip_plan_is_not_limited: true,
  upgrade_text_for_wide_organization_logo: '',
  gif_rating_policy_options: {
    disabled: { id: 0, name: 'GIFs integration disabled' },
    y: { id: 1, name: 'Include GIFs rated Y' },
    g: { id: 2, name: 'Include GIFs rated G' },
    pg: { id: 3, name: 'Include GIFs rated PG' },
    'pg-13': { id: 4, name: 'Include GIFs rated PG-13' },
    r: { id: 5, name: 'Include GIFs rated R' },
  },
};

/** Values derived from other settings, or fixed in this service. */
const fixedData = {
  realm_plan_type: 1,
  realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
  realm_push_notifications_enabled_end_timestamp: null,
  realm_default_external_accounts: defaultExternalAccounts,
};

const prefixed = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`realm_${name}`, value]));

/** Older names of settings that clients still read. */
export function legacyData({ settings, groups }: Organization) {
  return {
    realm_allow_edit_history: settings.message_edit_history_visibility_policy !== 'none',
    realm_mandatory_topics: settings.topics_policy === 'disable_empty_topic',
    realm_email_auth_enabled: settings.authentication_methods.Email === true,
    realm_password_auth_enabled: settings.authentication_methods.Email === true,
    realm_create_public_stream_policy: legacyCreationPolicy(groups.can_create_public_channel_group),
    realm_create_private_stream_policy: legacyCreationPolicy(groups.can_create_private_channel_group),
    realm_create_web_public_stream_policy: legacyCreationPolicy(groups.can_create_web_public_channel_group),
    realm_wildcard_mention_policy: legacyMentionPolicy(groups.can_mention_many_users_group),
  };
}

/**
 * The data that register returns for `realm`: limits, server facts and the organization's settings. `allowsWebPublic`: the
 * deployment has web-public channels.
 */
export const describeRealm = (organization: Organization, allowsWebPublic: boolean) => ({
  ...sizeLimits,
  ...serverData,
  ...fixedData,
  ...prefixed(organization.settings),
  ...prefixed(organization.groups),
  ...legacyData(organization),
  realm_authentication_methods: describeMethods(organization.settings.authentication_methods),
  realm_name: organization.name,
  realm_description: organization.description,
  realm_url: organization.url,
  realm_uri: organization.url,
  realm_uuid: organization.uuid,
  realm_bot_domain: mailDomainOf(organization),
  realm_date_created: organization.createdAtSeconds,
  ...prefixed(describePicture(organization, 'icon')),
  ...prefixed(describePicture(organization, 'logo')),
  ...prefixed(describePicture(organization, 'night_logo')),
  server_web_public_streams_enabled: allowsWebPublic,
  server_emoji_data_url: `${organization.url}/static/emoji.json`,
  server_supported_permission_settings: describePermissionSettings(),
});

const describeMethods = (methods: Record<string, boolean>) =>
  Object.fromEntries(Object.entries(methods).map(([name, enabled]) => [name, { enabled, available: true }]));
