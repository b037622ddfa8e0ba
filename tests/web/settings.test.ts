import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultOrganizationSettings } from '#shared/domain/organization/settings.ts';
import { defaultUserSettings } from '#shared/domain/settings/user-settings.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const ACTIONS = 'shared/actions';
const DOMAIN = 'shared/domain';
const NOTIFYING = 'web/net/notifying.ts';
const PRESENCE = 'web/net/presence.ts';
const WANTED = 'web/state/wanted.ts';

/** The settings that the pages of a person offer, and a file that obeys each. */
const OBEYED_FOR_A_PERSON = {
  allow_private_data_export: 'shared/store/users/user-settings.ts',
  automatically_follow_topics_policy: `${DOMAIN}/settings/change.ts`,
  automatically_follow_topics_where_mentioned: 'functions/workers/steps/follow-mentioned.ts',
  color_scheme: 'web/views/shell/shell.tsx',
  default_language: 'web/views/app.tsx',
  desktop_icon_count_display: 'web/state/sidebar.ts',
  display_emoji_reaction_users: 'web/views/feed/reactions.tsx',
  email_address_visibility: `${DOMAIN}/settings/change.ts`,
  enable_desktop_notifications: WANTED,
  enable_drafts_synchronization: 'web/net/drafts.ts',
  enable_followed_topic_audible_notifications: WANTED,
  enable_followed_topic_desktop_notifications: WANTED,
  enable_followed_topic_push_notifications: `${DOMAIN}/push/trigger.ts`,
  enable_followed_topic_wildcard_mentions_notify: WANTED,
  enable_offline_push_notifications: `${DOMAIN}/push/trigger.ts`,
  enable_sounds: WANTED,
  enable_stream_audible_notifications: WANTED,
  enable_stream_desktop_notifications: WANTED,
  enable_stream_push_notifications: `${DOMAIN}/push/trigger.ts`,
  enter_sends: 'web/views/compose/keys.ts',
  notification_sound: NOTIFYING,
  pm_content_in_desktop_notifications: NOTIFYING,
  presence_enabled: PRESENCE,
  receives_typing_notifications: 'web/views/compose/typing.tsx',
  send_private_typing_notifications: PRESENCE,
  send_read_receipts: 'shared/store/reading/read-receipts.ts',
  send_stream_typing_notifications: PRESENCE,
  starred_message_counts: 'web/views/shell/view-links.tsx',
  timezone: 'web/views/shell/seen.tsx',
  twenty_four_hour_time: 'web/parts/time.ts',
  web_animate_image_previews: 'web/parts/enliven.ts',
  web_escape_navigates_to_home_view: 'web/views/shell/shortcuts.ts',
  web_home_view: 'web/views/shell/shell.tsx',
  web_mark_read_on_scroll_policy: 'web/views/feed/reading.ts',
  wildcard_mentions_notify: WANTED,
};

/** The settings that the pages of the organization offer, and a file that obeys each. */
const OBEYED_FOR_ALL = {
  allow_message_editing: `${DOMAIN}/messages/editing/edit-content.ts`,
  avatar_changes_disabled: `${DOMAIN}/settings/own-identity.ts`,
  default_code_block_language: 'web/views/compose/completion.ts',
  disallow_disposable_email_addresses: `${DOMAIN}/organization/domains.ts`,
  email_changes_disabled: `${DOMAIN}/settings/own-identity.ts`,
  emails_restricted_to_domains: `${DOMAIN}/organization/domains.ts`,
  enable_guest_user_dm_warning: 'web/views/compose/guest-warning.tsx',
  enable_guest_user_indicator: 'web/net/store.ts',
  enable_read_receipts: 'functions/messages/list-read-receipts.ts',
  gif_rating_policy: 'shared/actions/gifs/find-gifs.ts',
  inline_image_preview: 'shared/store/uploads/known-uploads.ts',
  inline_url_embed_preview: 'shared/actions/previews/preview-jobs.ts',
  invite_required: 'functions/joining/join-organization.ts',
  media_preview_size: 'web/parts/enliven.ts',
  message_content_delete_limit_seconds: `${DOMAIN}/messages/delete.ts`,
  message_content_edit_limit_seconds: `${DOMAIN}/messages/editing/edit-content.ts`,
  message_edit_history_visibility_policy: 'functions/messages/get-message-history.ts',
  message_retention_days: `${DOMAIN}/messages/retention.ts`,
  moderation_request_channel_id: 'shared/store/channels/moderation-channel.ts',
  move_messages_between_streams_limit_seconds: `${DOMAIN}/messages/moving/move.ts`,
  move_messages_within_stream_limit_seconds: `${DOMAIN}/messages/moving/move.ts`,
  name_changes_disabled: `${DOMAIN}/settings/own-identity.ts`,
  new_stream_announcements_stream_id: 'functions/workers/steps/announce-channels.ts',
  owner_full_content_access: `${DOMAIN}/exports/changes.ts`,
  presence_disabled: `${ACTIONS}/presence/report-presence.ts`,
  require_unique_names: `${ACTIONS}/users/create-person.ts`,
  send_channel_events_messages: `${ACTIONS}/channels/channel-transition.ts`,
  signup_announcements_stream_id: 'functions/workers/steps/welcome-user.ts',
  topics_policy: 'web/state/channels.ts',
  video_chat_provider: `${DOMAIN}/organization/video-calls.ts`,
  waiting_period_threshold: 'shared/snapshot/describe-groups.ts',
  welcome_message_custom_text: 'functions/workers/steps/welcome-user.ts',
  zulip_update_announcements_stream_id: 'shared/actions/organization/announce-updates.ts',
};

const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');

/** Everything that the pages of a folder say. */
const pagesOf = (...folder: string[]): string =>
  readdirSync(join(ROOT, ...folder))
    .map((file) => read(...folder, file))
    .join('\n');

const names = (text: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);

const shown = {
  person: Object.keys(defaultUserSettings).filter((name) => names(pagesOf('web', 'views', 'settings'), name)),
  all: Object.keys(defaultOrganizationSettings).filter((name) =>
    names(pagesOf('web', 'views', 'organization', 'settings'), `realm_${name}`),
  ),
};

describe('A setting that a page offers', () => {
  test('Must have a known effect', () => {
    expect(shown.person.sort()).toEqual(Object.keys(OBEYED_FOR_A_PERSON));
    expect(shown.all.sort()).toEqual(Object.keys(OBEYED_FOR_ALL));
  });

  test.each(Object.entries({ ...OBEYED_FOR_A_PERSON, ...OBEYED_FOR_ALL }))(
    'Takes effect for %s in %s',
    (name, file) => {
      expect(names(read(file), `(?:realm_)?${name}`)).toBe(true);
    },
  );
});
