/** The groups that a permission setting may name. */
export interface PermissionRule {
  require_system_group: boolean;
  allow_internet_group: boolean;
  allow_nobody_group: boolean;
  allow_everyone_group: boolean;
  /** Names of system groups; if it is empty, the rules above decide. */
  allowed_system_groups: string[];
}

/** The settings of the organization that are neither a name nor a permission. */
export interface OrganizationSettings {
  realm_default_code_block_language: string;
  realm_disallow_disposable_email_addresses: boolean;
  realm_enable_guest_user_dm_warning: boolean;
  realm_enable_guest_user_indicator: boolean;
  realm_media_preview_size: number;
  realm_moderation_request_channel_id: number;
  realm_move_messages_between_streams_limit_seconds: number | null;
  realm_move_messages_within_stream_limit_seconds: number | null;
  realm_owner_full_content_access: boolean;
  realm_send_channel_events_messages: boolean;
  /** The highest rating of GIFs; 0 disables them. */
  realm_gif_rating_policy: number;
  realm_video_chat_provider: number;
  realm_waiting_period_threshold: number;
  realm_welcome_message_custom_text: string;
  realm_topics_policy: string;
  realm_allow_message_editing: boolean;
  realm_avatar_changes_disabled: boolean;
  realm_email_changes_disabled: boolean;
  realm_emails_restricted_to_domains: boolean;
  realm_enable_read_receipts: boolean;
  realm_inline_image_preview: boolean;
  realm_inline_url_embed_preview: boolean;
  realm_invite_required: boolean;
  realm_message_content_delete_limit_seconds: number | null;
  realm_message_content_edit_limit_seconds: number | null;
  realm_message_edit_history_visibility_policy: string;
  /** -1 keeps messages for ever. */
  realm_message_retention_days: number;
  realm_name_changes_disabled: boolean;
  realm_new_stream_announcements_stream_id: number;
  realm_presence_disabled: boolean;
  realm_require_unique_names: boolean;
  realm_signup_announcements_stream_id: number;
  realm_zulip_update_announcements_stream_id: number;
}

/** A pattern whose matches in messages become links. */
export interface Linkifier {
  id: number;
  pattern: string;
  url_template: string;
}

/** A site that runs code of a language. */
export interface Playground {
  id: number;
  name: string;
  pygments_language: string;
  url_template: string;
}

/** A field that people fill in about themselves, in addition to the standard fields. */
export interface ProfileField {
  id: number;
  type: number;
  name: string;
  hint: string;
  /** JSON for the types that have data, else empty. */
  field_data: string;
  display_in_profile_summary?: boolean;
  required: boolean;
  editable_by_user: boolean;
  use_for_user_matching?: boolean;
}

/** A site at which people have accounts. */
export interface ExternalSite {
  text: string;
  name: string;
  url_pattern: string;
}
