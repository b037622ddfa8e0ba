/** A setting of the protocol: its first value, another one that it may have, and wrong ones with their refusals. */
export interface SettingCase {
  name: string;
  initial: unknown;
  others: unknown[];
  wrong: [value: string, msg: string][];
  /** It is of a person; the organization has no say in it. */
  isPersonal?: true;
}

const yesOrNo =
  (initial: boolean) =>
  (name: string): SettingCase => ({
    name,
    initial,
    others: [!initial],
    wrong: [
      ['"true"', `${name} is not a boolean`],
      ['1', `${name} is not a boolean`],
      ['null', `${name} is not a boolean`],
      ['True', `${name} is not valid JSON`],
      ['', `${name} is not valid JSON`],
    ],
  });

/** Numbers from 1 to a last one. */
const upTo =
  (last: number, initial: number) =>
  (name: string): SettingCase => ({
    name,
    initial,
    others: Array.from({ length: last }, (_, n) => n + 1).filter((value) => value !== initial),
    wrong: [
      ['0', `Invalid ${name}`],
      [String(last + 1), `Invalid ${name}`],
      ['-1', `Invalid ${name}`],
      ['1e400', `${name} is not an integer`],
      ['"1"', `${name} is not an integer`],
      ['1.0', `${name} is not an integer`],
      ['true', `${name} is not an integer`],
      ['one', `${name} is not valid JSON`],
    ],
  });

const oneOf =
  (...[initial, ...others]: string[]) =>
  (name: string): SettingCase => ({
    name,
    initial,
    others,
    wrong: [
      ['', `Invalid ${name}`],
      ['nothing of that', `Invalid ${name}`],
      [`"${initial}"`, `Invalid ${name}`],
      ['{p}', `Invalid ${name}`],
    ],
  });

const size =
  (initial: number) =>
  (name: string): SettingCase => ({
    name,
    initial,
    others: [0, 18, 10_000],
    wrong: [
      ['-1', `${name} is too small`],
      ['10001', `${name} is too large`],
      ['"16"', `${name} is not an integer`],
      ['16.5', `${name} is not an integer`],
      ['x', `${name} is not valid JSON`],
    ],
  });

const on = `starred_message_counts receives_typing_notifications display_emoji_reaction_users
  web_escape_navigates_to_home_view web_left_sidebar_unreads_count_summary web_left_sidebar_show_channel_folders
  web_inbox_show_channel_folders enable_drafts_synchronization web_suggest_update_timezone wildcard_mentions_notify
  enable_followed_topic_desktop_notifications enable_followed_topic_email_notifications
  enable_followed_topic_push_notifications enable_followed_topic_audible_notifications
  enable_followed_topic_wildcard_mentions_notify enable_desktop_notifications enable_sounds
  enable_offline_email_notifications enable_offline_push_notifications enable_online_push_notifications
  pm_content_in_desktop_notifications message_content_in_email_notifications enable_digest_emails enable_login_emails
  enable_marketing_emails presence_enabled automatically_follow_topics_where_mentioned
  send_private_typing_notifications send_stream_typing_notifications send_read_receipts
  web_navigate_to_sent_message`;

const off = `fluid_layout_width high_contrast_mode translate_emoticons left_side_userlist hide_ai_features enter_sends
  enable_stream_desktop_notifications enable_stream_email_notifications enable_stream_push_notifications
  enable_stream_audible_notifications allow_private_data_export`;

const described: Record<string, (name: string) => SettingCase> = {
  web_mark_read_on_scroll_policy: upTo(3, 1),
  web_channel_default_view: upTo(4, 1),
  color_scheme: upTo(3, 1),
  web_font_size_px: size(16),
  web_line_height_percent: size(140),
  web_home_view: oneOf('inbox', 'recent', 'all_messages'),
  emojiset: oneOf('google', 'twitter', 'text', 'google-blob'),
  demote_inactive_streams: upTo(3, 1),
  user_list_style: upTo(3, 2),
  web_animate_image_previews: oneOf('on_hover', 'always', 'never'),
  web_stream_unreads_count_display_policy: upTo(3, 2),
  resolved_topic_notice_auto_read_policy: oneOf('except_followed', 'always', 'never'),
  desktop_icon_count_display: upTo(4, 1),
  realm_name_in_email_notifications_policy: upTo(3, 1),
  automatically_follow_topics_policy: upTo(4, 3),
  automatically_unmute_topics_in_muted_streams_policy: upTo(4, 2),
  email_address_visibility: upTo(5, 1),
};

const special: SettingCase[] = [
  {
    name: 'twenty_four_hour_time',
    initial: false,
    others: [true, null],
    wrong: [
      ['"true"', 'twenty_four_hour_time is not a boolean'],
      ['24', 'twenty_four_hour_time is not a boolean'],
      ['yes', 'twenty_four_hour_time is not valid JSON'],
    ],
  },
  {
    name: 'notification_sound',
    initial: 'zulip',
    others: ['ding', 'none'],
    wrong: [
      ['gong', "Invalid notification sound 'gong'"],
      ['', "Invalid notification sound ''"],
      ['"ding"', 'Invalid notification sound \'"ding"\''],
    ],
  },
  {
    name: 'email_notifications_batching_period_seconds',
    initial: 120,
    others: [1, 604_800],
    wrong: [
      ['0', 'Invalid email batching period: 0 seconds'],
      ['-1', 'Invalid email batching period: -1 seconds'],
      ['604801', 'Invalid email batching period: 604801 seconds'],
      ['"120"', 'email_notifications_batching_period_seconds is not an integer'],
    ],
  },
  {
    name: 'default_language',
    initial: 'en',
    others: ['de', 'zh-hans'],
    wrong: [
      ['', 'Invalid default_language'],
      ['xx', 'Invalid default_language'],
      ['"de"', 'Invalid default_language'],
      ['__proto__', 'Invalid default_language'],
    ],
    isPersonal: true,
  },
  {
    name: 'timezone',
    initial: '',
    others: ['Europe/Berlin', 'UTC', 'Asia/Kolkata', 'Etc/GMT+5', 'America/Argentina/Buenos_Aires'],
    wrong: [
      'Mars/Olympus',
      '+01:00',
      'europe/berlin',
      'Europe/BERLIN',
      '"UTC"',
      `E${'u'.repeat(100_000)}`,
    ].map((value) => [value, 'Invalid timezone: Value error, Not a recognized time zone']),
    isPersonal: true,
  },
];

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** Every setting of the protocol. */
export const settingCases: SettingCase[] = [
  ...words(on).map(yesOrNo(true)),
  ...words(off).map(yesOrNo(false)),
  ...Object.entries(described).map(([name, describeIt]) => describeIt(name)),
  ...special,
];
