import type { ChannelRecord } from '#shared/domain/channels/channel.ts';
import type { toGroupRecords } from '#shared/domain/channels/default-groups.ts';
import type { toFolderRecord } from '#shared/domain/channels/folders.ts';
import type { DraftRecord } from '#shared/domain/drafts/draft.ts';
import type { CustomEmojiRecord } from '#shared/domain/emoji/custom-emoji.ts';
import type { toExportRecord } from '#shared/domain/exports/export.ts';
import type { toLinkifierRecord } from '#shared/domain/linkifiers/linkifier.ts';
import type { PropagateMode } from '#shared/domain/messages/editing/edit-request.ts';
import type { toMessageRecord } from '#shared/domain/messages/record.ts';
import type { toViewRecord } from '#shared/domain/navigation-views/view.ts';
import type { toDomainRecord } from '#shared/domain/organization/domains.ts';
import type { toPlaygroundRecord } from '#shared/domain/playgrounds/playgrounds.ts';
import type { toModernPresence, toWebsitePresence } from '#shared/domain/presence/record.ts';
import type { toFieldRecords } from '#shared/domain/profile/field.ts';
import type { toDeviceRecord } from '#shared/domain/push/device.ts';
import type { toSnippetRecord } from '#shared/domain/saved-snippets/snippet.ts';
import type {
  toReminderRecord,
  toScheduledRecord,
} from '#shared/domain/scheduled-messages/scheduled-message.ts';
import type { toSubscriptionRecord } from '#shared/domain/subscriptions/record.ts';
import type { MutedTopic, toTopicRecord } from '#shared/domain/topics/record.ts';
import type { AttachmentRecord } from '#shared/domain/uploads/upload.ts';
import type { GroupRecord } from '#shared/domain/user-groups/group.ts';
import type { toBotRecord } from '#shared/domain/users/bot-record.ts';
import type { MutedUser } from '#shared/domain/users/muted-users.ts';
import type { toUserRecord } from '#shared/domain/users/record.ts';

/**
 * The fields of each event as clients get it, by `type` or `type/op`. They are types and no interfaces, so that events
 * of any type can be read as records of unknown fields.
 */
export interface EventFields {
  alert_words: { alert_words: string[] };
  'attachment/add': Attached;
  'attachment/remove': { attachment: { id: number }; upload_space_used: number };
  'attachment/update': Attached;
  'channel_folder/add': { channel_folder: ReturnType<typeof toFolderRecord> };
  'channel_folder/reorder': { order: number[] };
  'channel_folder/update': {
    channel_folder_id: number;
    data: { name?: string; description?: string; rendered_description?: string; is_archived?: boolean };
  };
  custom_profile_fields: { fields: ReturnType<typeof toFieldRecords> };
  default_stream_groups: { default_stream_groups: ReturnType<typeof toGroupRecords> };
  default_streams: { default_streams: number[] };
  delete_message: Deletion;
  'device/add': { device_id: number };
  'device/remove': { device_id: number };
  'device/update': { device_id: number } & Partial<ReturnType<typeof toDeviceRecord>>;
  'drafts/add': { drafts: DraftRecord[] };
  'drafts/remove': { draft_id: number };
  'drafts/update': { draft: DraftRecord };
  heartbeat: Nothing;
  invites_changed: Nothing;
  message: { message: ReturnType<typeof toMessageRecord>; flags: string[]; local_message_id?: string };
  'reaction/add': Reaction;
  'reaction/remove': Reaction;
  'navigation_view/add': {
    navigation_view: Omit<ReturnType<typeof toViewRecord>, 'name'> & { name: string | null };
  };
  'navigation_view/remove': { fragment: string };
  'navigation_view/update': { fragment: string; data: { is_pinned?: boolean; name?: string } };
  'realm_bot/add': { bot: BotRecord };
  'realm_bot/delete': { bot: { user_id: number } };
  'realm_bot/update': { bot: { user_id: number } & Partial<BotRecord> };
  muted_topics: { muted_topics: MutedTopic[] };
  muted_users: { muted_users: MutedUser[] };
  presence: ModernPresence | WebsitePresence;
  'realm/deactivated': { realm_id: number };
  'realm/update': PropertyChange;
  'realm/update_dict': { property: string; data: Record<string, unknown> };
  'realm_domains/add': { realm_domain: ReturnType<typeof toDomainRecord> };
  'realm_domains/change': { realm_domain: ReturnType<typeof toDomainRecord> };
  'realm_domains/remove': { domain: string };
  realm_export: { exports: ReturnType<typeof toExportRecord>[] };
  'realm_emoji/add': { emoji: CustomEmojiRecord };
  'realm_emoji/update': { realm_emoji: Record<string, CustomEmojiRecord> };
  'realm_emoji/update_one': { emoji_id: string; data: { deactivated: boolean } };
  realm_export_consent: { user_id: number; consented: boolean };
  realm_linkifiers: { realm_linkifiers: ReturnType<typeof toLinkifierRecord>[] };
  realm_playgrounds: { realm_playgrounds: ReturnType<typeof toPlaygroundRecord>[] };
  'realm_user/add': { person: UserRecord };
  'realm_user/remove': { person: { user_id: number; full_name: string } };
  'realm_user/update': { person: PersonChange };
  'realm_user_settings_defaults/update': PropertyChange;
  'reminders/add': { reminders: ReturnType<typeof toReminderRecord>[] };
  'reminders/remove': { reminder_id: number };
  'saved_snippets/add': { saved_snippet: ReturnType<typeof toSnippetRecord> };
  'saved_snippets/remove': { saved_snippet_id: number };
  'saved_snippets/update': { saved_snippet: ReturnType<typeof toSnippetRecord> };
  'scheduled_messages/add': { scheduled_messages: ScheduledRecord[] };
  'scheduled_messages/remove': { scheduled_message_id: number };
  'scheduled_messages/update': { scheduled_message: ScheduledRecord };
  'stream/create': { streams: ChannelRecord[] };
  'stream/delete': { streams: { stream_id: number }[]; stream_ids: number[] };
  'stream/update': ChannelPropertyChange;
  submessage: Submessage & { submessage_id: number };
  'subscription/add': { subscriptions: SubscriptionRecord[] };
  'subscription/peer_add': Peers;
  'subscription/peer_remove': Peers;
  'subscription/remove': { subscriptions: { stream_id: number; name: string }[] };
  'subscription/update': PropertyChange & { stream_id: number };
  'typing/start': Typing;
  'typing/stop': Typing;
  'typing_edit_message/start': EditTyping;
  'typing_edit_message/stop': EditTyping;
  update_message: MessageChange & { flags: string[] };
  'update_message_flags/add': FlagChange<'add'>;
  'user_group/add': { group: GroupRecord };
  'user_group/add_members': { group_id: number; user_ids: number[] };
  'user_group/add_subgroups': { group_id: number; direct_subgroup_ids: number[] };
  'user_group/remove': { group_id: number };
  'user_group/remove_members': { group_id: number; user_ids: number[] };
  'user_group/remove_subgroups': { group_id: number; direct_subgroup_ids: number[] };
  'user_group/update': { group_id: number; data: GroupChange };
  'update_message_flags/remove': FlagChange<'remove'> & { message_details?: Record<string, UnreadDetails> };
  'user_settings/update': PropertyChange & { language_name?: string | undefined };
  user_status: { user_id: number } & StatusChange;
  user_topic: ReturnType<typeof toTopicRecord>;
}

/** The fields of an event that says everything by its type. */
type Nothing = Record<never, never>;

/** A setting and its new value; each setting has values of its own. */
export type PropertyChange = {
  property: string;
  value: unknown;
};

export type Attached = {
  attachment: AttachmentRecord;
  upload_space_used: number;
};

/** One deleted message for clients without support for several, otherwise all of one place. */
type Deletion = DeletedPlace & ({ message_ids: number[] } | { message_id: number });

/** The conversation or topic of deleted messages; clients know their direct messages by their ids. */
export type DeletedPlace =
  | { message_type: 'private' }
  | { message_type: 'stream'; stream_id: number; topic: string };

export type Reaction = {
  user_id: number;
  message_id: number;
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
};

type BotRecord = ReturnType<typeof toBotRecord>;
export type UserRecord = ReturnType<typeof toUserRecord>;
export type ScheduledRecord = ReturnType<typeof toScheduledRecord>;
export type SubscriptionRecord = ReturnType<typeof toSubscriptionRecord> & { subscribers?: number[] };

type ModernPresence = {
  presences: Record<number, ReturnType<typeof toModernPresence>>;
};

type WebsitePresence = {
  user_id: number;
  email?: string;
  server_timestamp: number;
  presence: { website: ReturnType<typeof toWebsitePresence> };
};

/** The changed fields of a user. */
export type PersonChange = {
  user_id: number;
  full_name?: string;
  email?: string;
  timezone?: string;
  role?: number;
  is_active?: boolean;
  bot_owner_id?: number;
  bot_commands?: unknown;
  delivery_email?: string | null;
  new_email?: string;
  avatar_url?: string | null;
  avatar_url_medium?: string | null;
  avatar_source?: string;
  avatar_version?: number;
  custom_profile_field?: { id: number; value: string | null; rendered_value?: string };
};

export type ChannelPropertyChange = PropertyChange & {
  stream_id: number;
  name: string;
  rendered_description?: string;
  history_public_to_subscribers?: boolean;
  is_web_public?: boolean;
};

export type Submessage = {
  message_id: number;
  sender_id: number;
  msg_type: string;
  content: string;
};

/** Users who come to channels or leave them. */
export type Peers = {
  stream_ids: number[];
  user_ids: number[];
};

export type Person = {
  user_id: number;
  email: string;
};

export type Typing = { sender: Person } & (
  | { message_type: 'direct'; recipients: Person[] }
  | { message_type: 'stream'; stream_id: number; topic: string }
);

export type EditTyping = {
  sender_id: number;
  message_id: number;
  recipient: { type: 'channel'; channel_id: number; topic: string } | { type: 'direct'; user_ids: number[] };
};

/** A change of messages in one place: of the text of the first, of their topic or channel, or of both. */
export type MessageChange = {
  user_id: number | null;
  rendering_only: boolean;
  message_id: number;
  message_ids: number[];
  edit_timestamp: number;
  stream_id?: number;
  stream_name?: string;
  content?: string;
  rendered_content?: string;
  orig_content?: string;
  orig_rendered_content?: string;
  is_me_message?: boolean;
  orig_subject?: string;
  subject?: string;
  new_stream_id?: number;
  propagate_mode?: PropagateMode;
  topic_links?: unknown;
};

type FlagChange<Op> = {
  operation: Op;
  flag: string;
  messages: number[];
  all: boolean;
};

/** The place of a message that became unread. */
export type UnreadDetails = { mentioned?: true } & (
  | { type: 'private'; user_ids: number[] }
  | { type: 'stream'; stream_id: number; topic: string; unmuted_stream_msg: boolean }
);

/** The changed name, description, permissions or state of a group. */
export type GroupChange = { name?: string; description?: string; deactivated?: boolean } & Record<
  string,
  unknown
>;

export type StatusChange = {
  status_text?: string;
  away?: boolean;
  emoji_name?: string;
  emoji_code?: string;
  reaction_type?: string;
};
