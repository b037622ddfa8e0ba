/** The service's records of people, of their groups and of their settings. */

/** A group, or people and groups named one by one. */
export type GroupValue = number | { direct_members: number[]; direct_subgroups: number[] };

export interface ProfileValue {
  value: string;
  rendered_value?: string;
}

export interface Person {
  user_id: number;
  email: string;
  delivery_email: string | null;
  full_name: string;
  is_active: boolean;
  is_admin: boolean;
  is_owner: boolean;
  is_guest: boolean;
  is_bot: boolean;
  role: number;
  timezone: string;
  avatar_url: string | null;
  avatar_version: number;
  date_joined: string;
  bot_type?: number;
  bot_owner_id?: number | null;
  is_system_bot?: boolean;
  /** The commands that the bot understands. */
  bot_commands?: { name: string; description: string }[];
  profile_data?: Record<string, ProfileValue>;
}

/** The details of a bot for its owner and administrators, in addition to everyone's view. */
export interface Bot {
  user_id: number;
  default_sending_stream: string | null;
  default_events_register_stream: string | null;
  default_all_public_streams: boolean;
  services: BotService[];
}

/** The server of an outgoing webhook bot. */
export interface BotService {
  base_url: string;
  interface: number;
  token: string;
}

export interface Group {
  id: number;
  name: string;
  description: string;
  members: number[];
  direct_subgroup_ids: number[];
  is_system_group: boolean;
  deactivated: boolean;
  can_add_members_group: GroupValue;
  can_join_group: GroupValue;
  can_leave_group: GroupValue;
  can_remove_members_group: GroupValue;
  can_mention_group: GroupValue;
  can_manage_group: GroupValue;
}

export interface Presence {
  active_timestamp?: number;
  idle_timestamp?: number;
}

export interface UserStatus {
  status_text?: string;
  emoji_name?: string;
  emoji_code?: string;
  reaction_type?: string;
  away?: boolean;
}

export interface UserSettings {
  twenty_four_hour_time: boolean;
  enter_sends: boolean;
  color_scheme: number;
  enable_drafts_synchronization: boolean;
  web_animate_image_previews: string;
  web_home_view: string;
  web_escape_navigates_to_home_view: boolean;
  web_mark_read_on_scroll_policy: number;
  display_emoji_reaction_users: boolean;
  desktop_icon_count_display: number;
  automatically_follow_topics_policy: number;
  automatically_follow_topics_where_mentioned: boolean;
  presence_enabled: boolean;
  send_private_typing_notifications: boolean;
  send_stream_typing_notifications: boolean;
  receives_typing_notifications: boolean;
  enable_desktop_notifications: boolean;
  enable_stream_desktop_notifications: boolean;
  enable_followed_topic_desktop_notifications: boolean;
  enable_followed_topic_wildcard_mentions_notify: boolean;
  wildcard_mentions_notify: boolean;
  pm_content_in_desktop_notifications: boolean;
  starred_message_counts: boolean;
  default_language: string;
  email_address_visibility: number;
  allow_private_data_export: boolean;
  send_read_receipts: boolean;
  notification_sound: string;
  available_notification_sounds: string[];
  enable_sounds: boolean;
  enable_offline_push_notifications: boolean;
  enable_followed_topic_audible_notifications: boolean;
  enable_followed_topic_push_notifications: boolean;
  enable_stream_audible_notifications: boolean;
  enable_stream_push_notifications: boolean;
}
