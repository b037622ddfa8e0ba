import type {
  ExternalSite,
  Linkifier,
  OrganizationSettings,
  PermissionRule,
  Playground,
  ProfileField,
} from './wire-organization.ts';
import type { Bot, Group, GroupValue, Person, Presence, UserSettings, UserStatus } from './wire-people.ts';

/**
 * The service's records, as far as the client reads them. Times are seconds since 1970 unless a name says otherwise.
 * Register answers more than is named here; unread fields are kept under their names all the same.
 */

export interface Channel {
  stream_id: number;
  name: string;
  description: string;
  rendered_description: string;
  date_created: number;
  creator_id: number | null;
  invite_only: boolean;
  is_web_public: boolean;
  is_archived: boolean;
  history_public_to_subscribers: boolean;
  first_message_id: number | null;
  folder_id: number | null;
  is_recently_active: boolean;
  stream_weekly_traffic: number | null;
  message_retention_days: number | null;
  subscriber_count: number;
  topics_policy: 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only';
  subscribers?: number[];
  partial_subscribers?: number[];
  can_add_subscribers_group: GroupValue;
  can_administer_channel_group: GroupValue;
  can_delete_any_message_group: GroupValue;
  can_delete_own_message_group: GroupValue;
  can_move_messages_out_of_channel_group: GroupValue;
  can_move_messages_within_channel_group: GroupValue;
  can_resolve_topics_group: GroupValue;
  can_send_message_group: GroupValue;
  can_create_topic_group: GroupValue;
  can_remove_subscribers_group: GroupValue;
  can_subscribe_group: GroupValue;
}

export interface Subscription extends Channel {
  color: string;
  is_muted: boolean;
  pin_to_top: boolean;
  desktop_notifications: boolean | null;
  audible_notifications: boolean | null;
  push_notifications: boolean | null;
  email_notifications: boolean | null;
  wildcard_mentions_notify: boolean | null;
}

export interface Folder {
  id: number;
  name: string;
  description: string;
  order: number;
  is_archived: boolean;
}

export interface CustomEmoji {
  id: string;
  name: string;
  source_url: string;
  still_url: string | null;
  deactivated: boolean;
  author_id: number | null;
}

export interface UnreadTopic {
  stream_id: number;
  topic: string;
  unread_message_ids: number[];
}
export interface UnreadDirect {
  other_user_id: number;
  sender_id: number;
  unread_message_ids: number[];
}
export interface UnreadGroup {
  user_ids_string: string;
  unread_message_ids: number[];
}
/** Each list in the order of register: channels and topics, people, groups of people. */
export interface Unread {
  count: number;
  streams: UnreadTopic[];
  pms: UnreadDirect[];
  huddles: UnreadGroup[];
  mentions: number[];
  old_unreads_missing: boolean;
}

export interface UserTopic {
  stream_id: number;
  topic_name: string;
  visibility_policy: number;
  last_updated: number;
}

export interface Draft {
  id: number;
  type: '' | 'stream' | 'private';
  to: number[];
  topic: string;
  content: string;
  timestamp: number;
}

export interface Scheduled {
  scheduled_message_id: number;
  type: 'stream' | 'private';
  to: number | number[];
  topic?: string;
  content: string;
  rendered_content: string;
  scheduled_delivery_timestamp: number;
  failed: boolean;
}

export interface Reminder {
  reminder_id: number;
  content: string;
  rendered_content: string;
  scheduled_delivery_timestamp: number;
  reminder_target_message_id: number;
  failed: boolean;
}

export interface Snippet {
  id: number;
  title: string;
  content: string;
}

export interface NavigationView {
  fragment: string;
  is_pinned: boolean;
  name?: string;
}

export interface ConversationSummary {
  user_ids: number[];
  /** `unknown` if the newest message was deleted. */
  max_message_id: number | 'unknown';
}

/** The reply of register, without the part about the queue. */
export interface Snapshot extends OrganizationSettings {
  user_id: number;
  email: string;
  full_name: string;
  delivery_email: string;
  avatar_url: string | null;
  is_admin: boolean;
  is_owner: boolean;
  is_guest: boolean;
  is_moderator: boolean;
  max_message_id: number | 'unknown';
  streams: Channel[];
  subscriptions: Subscription[];
  unsubscribed: Subscription[];
  never_subscribed: Channel[];
  channel_folders: Folder[];
  realm_default_streams: number[];
  realm_default_stream_groups: unknown[];
  realm_users: Person[];
  realm_non_active_users: Person[];
  cross_realm_bots: Person[];
  realm_bots: Bot[];
  realm_user_groups: Group[];
  realm_emoji: Record<string, CustomEmoji>;
  unread_msgs: Unread;
  starred_messages: number[];
  recent_private_conversations: ConversationSummary[];
  user_topics: UserTopic[];
  muted_topics?: [string, string, number][];
  muted_users: { id: number; timestamp: number }[];
  alert_words: string[];
  drafts: Draft[];
  scheduled_messages: Scheduled[];
  reminders: Reminder[];
  saved_snippets: Snippet[];
  navigation_views: NavigationView[];
  presences: Record<string, Presence>;
  user_status: Record<string, UserStatus>;
  user_settings: UserSettings;
  realm_user_settings_defaults: UserSettings;
  custom_profile_fields: ProfileField[];
  realm_default_external_accounts: Record<string, ExternalSite>;
  devices: Record<string, Record<string, unknown>>;
  realm_linkifiers: Linkifier[];
  realm_playgrounds: Playground[];
  /** Whether the service reaches telephones. */
  realm_push_notifications_enabled: boolean;
  realm_domains: { domain: string; allow_subdomains: boolean }[];
  can_create_streams: boolean;
  can_create_private_streams: boolean;
  can_create_public_streams: boolean;
  can_create_web_public_streams: boolean;
  can_invite_others_to_realm: boolean;
  can_subscribe_other_users: boolean;
  server_web_public_streams_enabled: boolean;
  realm_enable_spectator_access: boolean;
  realm_name: string;
  realm_description: string;
  realm_icon_url: string;
  realm_icon_source: string;
  realm_available_video_chat_providers: Record<string, { id: number; name: string }>;
  /** The organization's own Jitsi server, else that of the service is used. */
  realm_jitsi_server_url: string | null;
  server_jitsi_server_url: string | null;
  /** Absent from services before there were GIFs. */
  server_gif_provider?: string | null;
  realm_logo_url: string;
  realm_logo_source: string;
  realm_night_logo_url: string;
  realm_night_logo_source: string;
  realm_url: string;
  realm_empty_topic_display_name: string;
  realm_allow_edit_history: boolean;
  server_supported_permission_settings: Record<'realm' | 'stream' | 'group', Record<string, PermissionRule>>;
  realm_can_add_custom_emoji_group: GroupValue;
  realm_can_create_bots_group: GroupValue;
  realm_can_create_write_only_bots_group: GroupValue;
  realm_can_create_groups: GroupValue;
  realm_can_manage_all_groups: GroupValue;
  realm_can_add_subscribers_group: GroupValue;
  realm_can_invite_users_group: GroupValue;
  realm_can_create_private_channel_group: GroupValue;
  realm_can_create_public_channel_group: GroupValue;
  realm_can_create_web_public_channel_group: GroupValue;
  realm_can_delete_any_message_group: GroupValue;
  realm_can_delete_own_message_group: GroupValue;
  realm_can_resolve_topics_group: GroupValue;
  realm_can_move_messages_between_topics_group: GroupValue;
  realm_can_move_messages_between_channels_group: GroupValue;
  realm_can_mention_many_users_group: GroupValue;
  realm_direct_message_permission_group: GroupValue;
  realm_direct_message_initiator_group: GroupValue;
  realm_create_multiuse_invite_group: GroupValue;
  max_message_length: number;
  max_topic_length: number;
  max_file_upload_size_mib: number;
  server_presence_ping_interval_seconds: number;
  server_presence_offline_threshold_seconds: number;
  server_typing_started_expiry_period_milliseconds: number;
  server_typing_stopped_wait_period_milliseconds: number;
  server_typing_started_wait_period_milliseconds: number;
  server_emoji_data_url: string;
  server_report_message_types?: { key: string; name: string }[];
}
