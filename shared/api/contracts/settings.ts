import * as z from 'zod/mini';
import { json, optional, text } from '#shared/api/parameters.ts';
import { languageNames } from '#shared/domain/settings/languages.ts';
import { isTimezone } from '#shared/domain/settings/timezone.ts';
import { notificationSounds, type UserSettings } from '#shared/domain/settings/user-settings.ts';

const WEEK_SECONDS = 7 * 24 * 60 * 60;
const MAX_SIZE = 10_000;

/** A choice numbered from 1. */
const oneOfFirst = (count: number) =>
  z.int().check(z.refine((value) => value >= 1 && value <= count, { error: 'Invalid {p}' }));

const oneOf = (...choices: string[]) =>
  z.string().check(z.refine((value) => choices.includes(value), { error: 'Invalid {p}' }));

const size = () => z.int().check(z.minimum(0), z.maximum(MAX_SIZE));

const notificationSound = z.string().check(
  z.refine((sound) => sound === 'none' || notificationSounds.includes(sound), {
    error: ({ input }) => `Invalid notification sound '${input}'`,
  }),
);

const batchingPeriod = z.int().check(
  z.refine((seconds) => seconds > 0 && seconds <= WEEK_SECONDS, {
    error: ({ input }) => `Invalid email batching period: ${input} seconds`,
  }),
);

/** The settings that the organization can preset for new users and every user can change. */
export const defaultableSettings = {
  twenty_four_hour_time: optional(
    json(z.nullable(z.boolean()), 'Times in 24-hour notation; null follows the language'),
  ),
  web_mark_read_on_scroll_policy: optional(
    json(oneOfFirst(3), 'When scrolling marks as read: always 1, in conversations 2, never 3'),
  ),
  web_channel_default_view: optional(
    json(oneOfFirst(4), 'The first view of a channel: top topic 1, feed 2, topics 3, top unread topic 4'),
  ),
  starred_message_counts: optional(json(z.boolean(), 'Shows how many messages are starred')),
  receives_typing_notifications: optional(json(z.boolean(), 'Shows when others are typing')),
  fluid_layout_width: optional(json(z.boolean(), 'Uses the whole width of the window')),
  high_contrast_mode: optional(json(z.boolean(), 'Raises the contrast')),
  color_scheme: optional(json(oneOfFirst(3), 'Automatic 1, dark 2, light 3')),
  web_font_size_px: optional(json(size(), 'The size of text, in pixels')),
  web_line_height_percent: optional(json(size(), 'The height of a line, in percent of the text')),
  translate_emoticons: optional(json(z.boolean(), 'Turns typed emoticons into emoji')),
  display_emoji_reaction_users: optional(json(z.boolean(), 'Shows who reacted')),
  web_home_view: optional(
    text(oneOf('inbox', 'recent', 'all_messages'), 'The first view of the application'),
  ),
  web_escape_navigates_to_home_view: optional(json(z.boolean(), 'Escape leads to the home view')),
  left_side_userlist: optional(json(z.boolean(), 'Lists people on the left in narrow windows')),
  emojiset: optional(text(oneOf('google', 'twitter', 'text', 'google-blob'), 'How emoji look')),
  demote_inactive_streams: optional(
    json(oneOfFirst(3), 'Lists inactive channels last: automatically 1, always 2, never 3'),
  ),
  user_list_style: optional(
    json(oneOfFirst(3), 'How people are listed: compact 1, with status 2, with picture 3'),
  ),
  web_animate_image_previews: optional(text(oneOf('always', 'on_hover', 'never'), 'When pictures move')),
  web_stream_unreads_count_display_policy: optional(
    json(oneOfFirst(3), 'Counts unread messages of: all channels 1, unmuted ones 2, none 3'),
  ),
  hide_ai_features: optional(json(z.boolean(), 'Hides features that use language models')),
  web_left_sidebar_unreads_count_summary: optional(
    json(z.boolean(), 'Sums up unread messages in the sidebar'),
  ),
  web_left_sidebar_show_channel_folders: optional(json(z.boolean(), 'Shows channel folders in the sidebar')),
  web_inbox_show_channel_folders: optional(json(z.boolean(), 'Shows channel folders in the inbox')),
  enter_sends: optional(json(z.boolean(), 'The enter key sends')),
  enable_drafts_synchronization: optional(json(z.boolean(), 'Keeps drafts on the server')),
  web_suggest_update_timezone: optional(json(z.boolean(), 'Offers to follow the time zone of the device')),
  resolved_topic_notice_auto_read_policy: optional(
    text(oneOf('always', 'except_followed', 'never'), 'When notices of resolved topics count as read'),
  ),
  enable_stream_desktop_notifications: optional(
    json(z.boolean(), 'Desktop notifications for channel messages'),
  ),
  enable_stream_email_notifications: optional(json(z.boolean(), 'Mails for channel messages')),
  enable_stream_push_notifications: optional(json(z.boolean(), 'Push notifications for channel messages')),
  enable_stream_audible_notifications: optional(json(z.boolean(), 'Sounds for channel messages')),
  wildcard_mentions_notify: optional(json(z.boolean(), 'Notifies of wildcard mentions')),
  enable_followed_topic_desktop_notifications: optional(
    json(z.boolean(), 'Desktop notifications for followed topics'),
  ),
  enable_followed_topic_email_notifications: optional(json(z.boolean(), 'Mails for followed topics')),
  enable_followed_topic_push_notifications: optional(
    json(z.boolean(), 'Push notifications for followed topics'),
  ),
  enable_followed_topic_audible_notifications: optional(json(z.boolean(), 'Sounds for followed topics')),
  enable_followed_topic_wildcard_mentions_notify: optional(
    json(z.boolean(), 'Notifies of wildcard mentions in followed topics'),
  ),
  enable_desktop_notifications: optional(
    json(z.boolean(), 'Desktop notifications for direct messages and mentions'),
  ),
  enable_sounds: optional(json(z.boolean(), 'Sounds for direct messages and mentions')),
  enable_offline_email_notifications: optional(
    json(z.boolean(), 'Mails for direct messages and mentions while away'),
  ),
  enable_offline_push_notifications: optional(
    json(z.boolean(), 'Push notifications for direct messages and mentions while away'),
  ),
  enable_online_push_notifications: optional(
    json(z.boolean(), 'Push notifications for direct messages and mentions while present'),
  ),
  pm_content_in_desktop_notifications: optional(
    json(z.boolean(), 'Desktop notifications show the text of direct messages'),
  ),
  message_content_in_email_notifications: optional(json(z.boolean(), 'Mails show the text of messages')),
  desktop_icon_count_display: optional(
    json(
      oneOfFirst(4),
      'The icon counts: all unread 1, direct, mentions and followed 2, direct and mentions 3, none 4',
    ),
  ),
  enable_digest_emails: optional(json(z.boolean(), 'Sends mails that summarize missed messages')),
  enable_login_emails: optional(json(z.boolean(), 'Mails about new sign-ins')),
  enable_marketing_emails: optional(json(z.boolean(), 'Mails about the product')),
  presence_enabled: optional(json(z.boolean(), 'Shows others when the user is present')),
  realm_name_in_email_notifications_policy: optional(
    json(oneOfFirst(3), 'Subjects of mails name the organization: automatically 1, always 2, never 3'),
  ),
  automatically_follow_topics_policy: optional(
    json(oneOfFirst(4), 'Follows topics: on taking part 1, on sending 2, on starting 3, never 4'),
  ),
  automatically_unmute_topics_in_muted_streams_policy: optional(
    json(
      oneOfFirst(4),
      'Unmutes topics of muted channels: on taking part 1, on sending 2, on starting 3, never 4',
    ),
  ),
  automatically_follow_topics_where_mentioned: optional(
    json(z.boolean(), 'Follows topics in which the user is mentioned'),
  ),
  send_private_typing_notifications: optional(
    json(z.boolean(), 'Shows others when the user types a direct message'),
  ),
  send_stream_typing_notifications: optional(
    json(z.boolean(), 'Shows others when the user types a channel message'),
  ),
  send_read_receipts: optional(json(z.boolean(), 'Shows others which messages the user has read')),
  allow_private_data_export: optional(json(z.boolean(), 'Lets administrators export private data')),
  email_address_visibility: optional(
    json(
      oneOfFirst(5),
      'Who sees the address: everyone 1, members 2, administrators 3, nobody 4, moderators 5',
    ),
  ),
  web_navigate_to_sent_message: optional(
    json(z.boolean(), 'Navigates to the conversation of a sent message'),
  ),
  notification_sound: optional(text(notificationSound, 'The sound of notifications, or none')),
  email_notifications_batching_period_seconds: optional(
    json(batchingPeriod, 'How long mails wait for more messages, at most a week'),
  ),
};

const language = z
  .string()
  .check(z.refine((code) => languageNames.has(code), { error: 'Invalid default_language' }));

const timezone = z.string().check(
  z.refine((name) => name === '' || isTimezone(name), {
    error: 'Invalid {p}: Value error, Not a recognized time zone',
  }),
);

/** Every setting of a user. */
export const settingParameters = {
  ...defaultableSettings,
  default_language: optional(text(language, 'The code of a language')),
  timezone: optional(text(timezone, 'A time zone of the IANA list')),
};

/** The settings among the given parameters. */
export const givenSettings = (params: Record<string, unknown>): Partial<UserSettings> =>
  Object.fromEntries(
    Object.keys(settingParameters).flatMap((name) =>
      params[name] === undefined ? [] : [[name, params[name]]],
    ),
  );
