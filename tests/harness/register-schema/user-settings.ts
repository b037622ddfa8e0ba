import * as z from 'zod';
import { onlyBooleans, onlyNumbers, onlyTexts } from './values.ts';

export const userSettingsFields = {
  ...onlyBooleans(`
    twenty_four_hour_time starred_message_counts receives_typing_notifications fluid_layout_width
    high_contrast_mode translate_emoticons display_emoji_reaction_users
    web_escape_navigates_to_home_view left_side_userlist hide_ai_features
    web_left_sidebar_unreads_count_summary web_left_sidebar_show_channel_folders
    web_inbox_show_channel_folders enter_sends enable_drafts_synchronization
    web_suggest_update_timezone enable_stream_desktop_notifications
    enable_stream_email_notifications enable_stream_push_notifications
    enable_stream_audible_notifications wildcard_mentions_notify
    enable_followed_topic_desktop_notifications enable_followed_topic_email_notifications
    enable_followed_topic_push_notifications enable_followed_topic_audible_notifications
    enable_followed_topic_wildcard_mentions_notify enable_desktop_notifications enable_sounds
    enable_offline_email_notifications enable_offline_push_notifications
    enable_online_push_notifications pm_content_in_desktop_notifications
    message_content_in_email_notifications enable_digest_emails enable_login_emails
    enable_marketing_emails presence_enabled automatically_follow_topics_where_mentioned
    send_private_typing_notifications send_stream_typing_notifications send_read_receipts
    allow_private_data_export web_navigate_to_sent_message
  `),
  ...onlyTexts(`
    default_language web_home_view emojiset web_animate_image_previews notification_sound
    resolved_topic_notice_auto_read_policy timezone
  `),
  ...onlyNumbers(`
    web_mark_read_on_scroll_policy web_channel_default_view color_scheme web_font_size_px
    web_line_height_percent demote_inactive_streams user_list_style
    web_stream_unreads_count_display_policy email_notifications_batching_period_seconds
    desktop_icon_count_display realm_name_in_email_notifications_policy
    automatically_follow_topics_policy automatically_unmute_topics_in_muted_streams_policy
    email_address_visibility
  `),
  emojiset_choices: z.array(z.strictObject({ key: z.string(), text: z.string() })),
  available_notification_sounds: z.array(z.string()),
};
