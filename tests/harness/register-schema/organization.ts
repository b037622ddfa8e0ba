import * as z from 'zod';
import { groupValues, id, numbersOrNull, onlyBooleans, onlyNumbers, onlyTexts } from './values.ts';

const permissionSetting = z.strictObject({
  require_system_group: z.boolean(),
  allow_internet_group: z.boolean(),
  allow_nobody_group: z.boolean(),
  allow_everyone_group: z.boolean(),
  default_group_name: z.string(),
  default_for_system_groups: z.string().nullable(),
  allowed_system_groups: z.array(z.string()),
});
const permissionSettings = z.record(z.string(), permissionSetting);

export const realmFields = {
  ...onlyNumbers(`
    max_message_length max_topic_length max_stream_name_length max_stream_description_length
    max_channel_folder_name_length max_channel_folder_description_length max_reminder_note_length
    max_bulk_new_subscription_messages max_avatar_file_size_mib max_icon_file_size_mib
    max_logo_file_size_mib max_file_upload_size_mib password_min_length password_max_length
    password_min_guesses server_generation server_presence_ping_interval_seconds
    server_presence_offline_threshold_seconds server_typing_started_expiry_period_milliseconds
    server_typing_stopped_wait_period_milliseconds server_typing_started_wait_period_milliseconds
    realm_date_created realm_org_type realm_plan_type realm_digest_weekday realm_video_chat_provider
    realm_gif_rating_policy realm_waiting_period_threshold realm_message_retention_days
    realm_new_stream_announcements_stream_id realm_signup_announcements_stream_id
    realm_zulip_update_announcements_stream_id realm_moderation_request_channel_id
    realm_media_preview_size realm_create_public_stream_policy realm_create_private_stream_policy
    realm_create_web_public_stream_policy realm_wildcard_mention_policy
  `),
  ...numbersOrNull(`
    realm_message_content_edit_limit_seconds realm_message_content_delete_limit_seconds
    realm_move_messages_within_stream_limit_seconds
    realm_move_messages_between_streams_limit_seconds realm_upload_quota_mib
    realm_push_notifications_enabled_end_timestamp server_min_deactivated_realm_deletion_days
    server_max_deactivated_realm_deletion_days
  `),
  ...onlyBooleans(`
    server_needs_upgrade settings_send_digest_emails server_inline_image_preview
    server_inline_url_embed_preview server_avatar_changes_disabled server_name_changes_disabled
    server_web_public_streams_enabled server_can_summarize_topics development_environment
    zulip_plan_is_not_limited realm_emails_restricted_to_domains
    realm_disallow_disposable_email_addresses realm_invite_required realm_require_unique_names
    realm_name_changes_disabled realm_email_changes_disabled realm_avatar_changes_disabled
    realm_inline_image_preview realm_inline_url_embed_preview realm_allow_message_editing
    realm_allow_edit_history realm_mandatory_topics realm_enable_read_receipts
    realm_enable_spectator_access realm_enable_guest_user_indicator
    realm_enable_guest_user_dm_warning realm_send_welcome_emails realm_send_channel_events_messages
    realm_message_content_allowed_in_email_notifications realm_digest_emails_enabled
    realm_want_advertise_in_communities_directory realm_push_notifications_enabled
    realm_require_e2ee_push_notifications realm_email_auth_enabled realm_password_auth_enabled
    realm_presence_disabled realm_owner_full_content_access
  `),
  ...onlyTexts(`
    upgrade_text_for_wide_organization_logo realm_name realm_description realm_url realm_uri
    realm_uuid realm_bot_domain realm_icon_url realm_icon_source realm_logo_url realm_logo_source
    realm_night_logo_url realm_night_logo_source realm_default_language
    realm_default_code_block_language realm_message_edit_history_visibility_policy
    realm_empty_topic_display_name realm_welcome_message_custom_text realm_default_avatar_source
    realm_topics_policy server_jitsi_server_url jitsi_server_url server_emoji_data_url
  `),
  realm_jitsi_server_url: z.string().nullable(),
  server_gif_provider: z.enum(['GIPHY', 'KLIPY']).nullable(),
  realm_available_video_chat_providers: z.record(z.string(), z.strictObject({ name: z.string(), id })),
  gif_rating_policy_options: z.record(z.string(), z.strictObject({ name: z.string(), id })),
  realm_authentication_methods: z.record(
    z.string(),
    z.strictObject({ enabled: z.boolean(), available: z.boolean() }),
  ),
  realm_default_external_accounts: z.record(
    z.string(),
    z.strictObject({ text: z.string(), url_pattern: z.string(), name: z.string(), hint: z.string() }),
  ),
  server_thumbnail_formats: z.array(z.looseObject({ name: z.string() })),
  server_report_message_types: z.array(z.strictObject({ key: z.string(), name: z.string() })),
  server_supported_permission_settings: z.strictObject({
    realm: permissionSettings,
    stream: permissionSettings,
    group: permissionSettings,
  }),
  ...groupValues(`
    realm_can_access_all_users_group realm_can_add_custom_emoji_group
    realm_can_add_subscribers_group realm_can_create_bots_group
    realm_can_create_write_only_bots_group realm_can_create_groups
    realm_can_create_public_channel_group realm_can_create_private_channel_group
    realm_can_create_web_public_channel_group realm_can_delete_any_message_group
    realm_can_delete_own_message_group realm_can_invite_users_group realm_can_manage_all_groups
    realm_can_manage_billing_group realm_can_mention_many_users_group
    realm_can_move_messages_between_channels_group realm_can_move_messages_between_topics_group
    realm_can_resolve_topics_group realm_can_set_delete_message_policy_group
    realm_can_set_topics_policy_group realm_can_summarize_topics_group
    realm_create_multiuse_invite_group realm_direct_message_initiator_group
    realm_direct_message_permission_group realm_workplace_users_group
  `),
};
