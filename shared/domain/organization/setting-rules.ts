import type { OrganizationGroupSetting, OrganizationSettings } from './settings.ts';

/** The allowed values of a setting. */
export type SettingRule =
  | { kind: 'boolean' }
  | { kind: 'text'; maxLength: number }
  | { kind: 'oneOf'; values: readonly (string | number)[] }
  | { kind: 'number'; from: number; to: number }
  /** A number of seconds; `unlimited` on the wire for none. */
  | { kind: 'limit' }
  /** A number of days; -1 keeps forever, `unlimited` on the wire. */
  | { kind: 'retention' }
  /** A channel; -1 for none. */
  | { kind: 'channel'; mustBePrivate?: true }
  | { kind: 'language' }
  /** The address of a server; `default` on the wire for none. */
  | { kind: 'serverUrl' }
  | { kind: 'methods' };

const yesOrNo = { kind: 'boolean' } as const;
const limit = { kind: 'limit' } as const;
const channel = { kind: 'channel' } as const;
const organizationTypes = [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000];
const MAX_DAYS = 100_000;
/** The maximum length of the text that new users are welcomed with. */
export const MAX_WELCOME_LENGTH = 8000;

export const settingRules: Record<keyof OrganizationSettings, SettingRule> = {
  allow_message_editing: yesOrNo,
  authentication_methods: { kind: 'methods' },
  avatar_changes_disabled: yesOrNo,
  default_avatar_source: { kind: 'oneOf', values: ['G', 'J'] },
  default_code_block_language: { kind: 'text', maxLength: 80 },
  default_language: { kind: 'language' },
  digest_emails_enabled: yesOrNo,
  digest_weekday: { kind: 'oneOf', values: [0, 1, 2, 3, 4, 5, 6] },
  disallow_disposable_email_addresses: yesOrNo,
  email_changes_disabled: yesOrNo,
  emails_restricted_to_domains: yesOrNo,
  enable_guest_user_dm_warning: yesOrNo,
  enable_guest_user_indicator: yesOrNo,
  enable_read_receipts: yesOrNo,
  enable_spectator_access: yesOrNo,
  gif_rating_policy: { kind: 'oneOf', values: [0, 1, 2, 3, 4, 5] },
  inline_image_preview: yesOrNo,
  inline_url_embed_preview: yesOrNo,
  invite_required: yesOrNo,
  jitsi_server_url: { kind: 'serverUrl' },
  media_preview_size: { kind: 'oneOf', values: [100, 150, 200] },
  message_content_allowed_in_email_notifications: yesOrNo,
  message_content_delete_limit_seconds: limit,
  message_content_edit_limit_seconds: limit,
  message_edit_history_visibility_policy: { kind: 'oneOf', values: ['all', 'moves', 'none'] },
  message_retention_days: { kind: 'retention' },
  moderation_request_channel_id: { kind: 'channel', mustBePrivate: true },
  move_messages_between_streams_limit_seconds: limit,
  move_messages_within_stream_limit_seconds: limit,
  name_changes_disabled: yesOrNo,
  new_stream_announcements_stream_id: channel,
  org_type: { kind: 'oneOf', values: organizationTypes },
  owner_full_content_access: yesOrNo,
  presence_disabled: yesOrNo,
  require_e2ee_push_notifications: yesOrNo,
  require_unique_names: yesOrNo,
  send_channel_events_messages: yesOrNo,
  send_welcome_emails: yesOrNo,
  signup_announcements_stream_id: channel,
  topics_policy: { kind: 'oneOf', values: ['allow_empty_topic', 'disable_empty_topic'] },
  video_chat_provider: { kind: 'oneOf', values: [0, 1, 4, 5] },
  waiting_period_threshold: { kind: 'number', from: 0, to: MAX_DAYS },
  want_advertise_in_communities_directory: yesOrNo,
  welcome_message_custom_text: { kind: 'text', maxLength: MAX_WELCOME_LENGTH },
  zulip_update_announcements_stream_id: channel,
};

/** Settings reserved for owners; administrators may change all others. */
export const forOwnersOnly = new Set<keyof OrganizationSettings | OrganizationGroupSetting>([
  'authentication_methods',
  'can_create_groups',
  'can_invite_users_group',
  'can_manage_all_groups',
  'create_multiuse_invite_group',
  'disallow_disposable_email_addresses',
  'emails_restricted_to_domains',
  'invite_required',
  'message_retention_days',
  'owner_full_content_access',
  'waiting_period_threshold',
]);
