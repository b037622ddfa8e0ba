import type { User } from '#shared/domain/users/user.ts';
/** The settings of an account that has changed none. */
export const defaultUserSettings = {
  twenty_four_hour_time: false as boolean | null,
  web_mark_read_on_scroll_policy: 1,
  web_channel_default_view: 1,
  starred_message_counts: true,
  receives_typing_notifications: true,
  fluid_layout_width: false,
  high_contrast_mode: false,
  color_scheme: 1,
  web_font_size_px: 16,
  web_line_height_percent: 140,
  translate_emoticons: false,
  display_emoji_reaction_users: true,
  default_language: 'en',
  web_home_view: 'inbox',
  web_escape_navigates_to_home_view: true,
  left_side_userlist: false,
  emojiset: 'google',
  demote_inactive_streams: 1,
  user_list_style: 2,
  web_animate_image_previews: 'on_hover',
  web_stream_unreads_count_display_policy: 2,
  hide_ai_features: false,
  web_left_sidebar_unreads_count_summary: true,
  web_left_sidebar_show_channel_folders: true,
  web_inbox_show_channel_folders: true,
  timezone: '',
  enter_sends: false,
  enable_drafts_synchronization: true,
  web_suggest_update_timezone: true,
  resolved_topic_notice_auto_read_policy: 'except_followed',
  enable_stream_desktop_notifications: false,
  enable_stream_email_notifications: false,
  enable_stream_push_notifications: false,
  enable_stream_audible_notifications: false,
  wildcard_mentions_notify: true,
  enable_followed_topic_desktop_notifications: true,
  enable_followed_topic_email_notifications: true,
  enable_followed_topic_push_notifications: true,
  enable_followed_topic_audible_notifications: true,
  enable_followed_topic_wildcard_mentions_notify: true,
  notification_sound: 'zulip',
  enable_desktop_notifications: true,
  enable_sounds: true,
  enable_offline_email_notifications: true,
  enable_offline_push_notifications: true,
  enable_online_push_notifications: true,
  email_notifications_batching_period_seconds: 120,
  pm_content_in_desktop_notifications: true,
  message_content_in_email_notifications: true,
  desktop_icon_count_display: 1,
  enable_digest_emails: true,
  enable_login_emails: true,
  enable_marketing_emails: true,
  presence_enabled: true,
  realm_name_in_email_notifications_policy: 1,
  automatically_follow_topics_policy: 3,
  automatically_unmute_topics_in_muted_streams_policy: 2,
  automatically_follow_topics_where_mentioned: true,
  send_private_typing_notifications: true,
  send_stream_typing_notifications: true,
  send_read_receipts: true,
  allow_private_data_export: false,
  email_address_visibility: 1,
  web_navigate_to_sent_message: true,
};

export type UserSettings = typeof defaultUserSettings;

/** The stored settings of a user; all others have their defaults. */
export interface ChosenSettings {
  values: Partial<UserSettings>;
  /** Counts changes; a change is conditional on the revision that it read. */
  revision: number;
}

/** Excludes personal settings, for which the organization has no default. */
export type SharedSettings = Omit<UserSettings, 'default_language' | 'timezone'>;

/** The sounds that clients can play. */
export const notificationSounds = ['ding', 'zulip'];

/**
 * All settings of a user. Time zone and address visibility are stored with the account, because others see
 * them.
 */
export const effectiveSettings = (
  { timezone, emailVisibility }: Pick<User, 'timezone' | 'emailVisibility'>,
  chosen: ChosenSettings,
): UserSettings => ({
  ...defaultUserSettings,
  ...chosen.values,
  timezone,
  email_address_visibility: emailVisibility ?? defaultUserSettings.email_address_visibility,
});

/** The `user_settings` of register: the settings, and the choices of some of them. */
export const describeUserSettings = (settings: UserSettings) => ({
  ...settings,
  emojiset_choices: [
    { key: 'google', text: 'Google' },
    { key: 'twitter', text: 'Twitter' },
    { key: 'text', text: 'Plain text' },
    { key: 'google-blob', text: 'Google blobs' },
  ],
  available_notification_sounds: notificationSounds,
});

/** The settings of new users: the defaults with the organization's presets. */
export function newUserSettings(chosen: Partial<SharedSettings> = {}): SharedSettings {
  const { default_language: _language, timezone: _timezone, ...shared } = defaultUserSettings;
  return { ...shared, ...chosen };
}
