import type {
  Channel,
  CustomEmoji,
  Draft,
  Folder,
  NavigationView,
  Reminder,
  Scheduled,
  Snapshot,
  Snippet,
  Subscription,
  UserTopic,
} from './wire.ts';
import type { Message, Reaction, Submessage } from './wire-messages.ts';
import type { Bot, Group, Person, Presence, ProfileValue, UserStatus } from './wire-people.ts';

/** The fields that the client reads of each event, by `type` or `type/op`. */
interface EventFields {
  alert_words: Pick<Snapshot, 'alert_words'>;
  'attachment/add': Nothing;
  'attachment/remove': Nothing;
  'attachment/update': Nothing;
  'channel_folder/add': { channel_folder: Folder };
  'channel_folder/reorder': { order: number[] };
  'channel_folder/update': { channel_folder_id: number; data: Partial<Folder> };
  custom_profile_fields: { fields: Snapshot['custom_profile_fields'] };
  default_stream_groups: { default_stream_groups: Snapshot['realm_default_stream_groups'] };
  default_streams: { default_streams: number[] };
  delete_message: DeletionEvent;
  'device/add': { device_id: number };
  'device/remove': { device_id: number };
  'device/update': { device_id: number } & Partial<Snapshot['devices'][string]>;
  'drafts/add': { drafts: Draft[] };
  'drafts/remove': { draft_id: number };
  'drafts/update': { draft: Draft };
  heartbeat: Nothing;
  invites_changed: Nothing;
  message: MessageEvent;
  muted_topics: Required<Pick<Snapshot, 'muted_topics'>>;
  muted_users: Pick<Snapshot, 'muted_users'>;
  'navigation_view/add': { navigation_view: Omit<NavigationView, 'name'> & { name: string | null } };
  'navigation_view/remove': { fragment: string };
  'navigation_view/update': { fragment: string; data: Partial<NavigationView> };
  presence: PresenceEvent;
  'reaction/add': ReactionEvent;
  'reaction/remove': ReactionEvent;
  'realm/deactivated': Nothing;
  'realm/update': PropertyEvent;
  'realm/update_dict': { data: Record<string, unknown> };
  'realm_bot/add': { bot: Bot };
  'realm_bot/delete': { bot: { user_id: number } };
  'realm_bot/update': { bot: { user_id: number } & Partial<Bot> };
  'realm_domains/add': { realm_domain: Domain };
  'realm_domains/change': { realm_domain: Domain };
  'realm_domains/remove': { domain: string };
  'realm_emoji/add': { emoji: CustomEmoji };
  'realm_emoji/update': { realm_emoji: Record<string, CustomEmoji> };
  'realm_emoji/update_one': { emoji_id: string; data: Partial<CustomEmoji> };
  realm_export: Nothing;
  realm_export_consent: Nothing;
  realm_linkifiers: Pick<Snapshot, 'realm_linkifiers'>;
  realm_playgrounds: Pick<Snapshot, 'realm_playgrounds'>;
  'realm_user/add': { person: Person };
  'realm_user/remove': { person: { user_id: number } };
  'realm_user/update': { person: PersonChange };
  'realm_user_settings_defaults/update': PropertyEvent;
  'reminders/add': { reminders: Reminder[] };
  'reminders/remove': { reminder_id: number };
  'saved_snippets/add': { saved_snippet: Snippet };
  'saved_snippets/remove': { saved_snippet_id: number };
  'saved_snippets/update': { saved_snippet: Snippet };
  'scheduled_messages/add': { scheduled_messages: Scheduled[] };
  'scheduled_messages/remove': { scheduled_message_id: number };
  'scheduled_messages/update': { scheduled_message: Scheduled };
  'stream/create': { streams: Channel[] };
  'stream/delete': { streams: { stream_id: number }[] };
  'stream/update': PropertyEvent & { stream_id: number; name: string };
  submessage: SubmessageEvent;
  'subscription/add': { subscriptions: Subscription[] };
  'subscription/peer_add': { stream_ids: number[]; user_ids: number[] };
  'subscription/peer_remove': { stream_ids: number[]; user_ids: number[] };
  'subscription/remove': { subscriptions: { stream_id: number }[] };
  'subscription/update': PropertyEvent & { stream_id: number };
  'typing/start': TypingEvent;
  'typing/stop': TypingEvent;
  'typing_edit_message/start': Nothing;
  'typing_edit_message/stop': Nothing;
  update_message: UpdateEvent;
  'update_message_flags/add': FlagsEvent;
  'update_message_flags/remove': FlagsEvent;
  'user_group/add': { group: Group };
  'user_group/add_members': { group_id: number; user_ids: number[] };
  'user_group/add_subgroups': { group_id: number; direct_subgroup_ids: number[] };
  'user_group/remove': { group_id: number };
  'user_group/remove_members': { group_id: number; user_ids: number[] };
  'user_group/remove_subgroups': { group_id: number; direct_subgroup_ids: number[] };
  'user_group/update': { group_id: number; data: Partial<Group> };
  'user_settings/update': PropertyEvent;
  user_status: UserStatus & { user_id: number };
  user_topic: UserTopic;
}

/** The name of a type of event: `type`, or `type/op` for types whose events differ by `op`. */
export type EventName = keyof EventFields;

type Tag<Name extends string> = Name extends `${infer Type}/${infer Op}`
  ? { type: Type; op: Op }
  : { type: Name; op?: never };

/** One event of the queue; its other fields depend on its type. */
export type WireEvent = { [Name in EventName]: { id: number } & Tag<Name> & EventFields[Name] }[EventName];

/** The `type` of an event. */
export type WireType = WireEvent['type'];

/** The events of one `type`. */
export type EventOf<Type extends WireType> = Extract<WireEvent, { type: Type }>;

type Nothing = Record<never, never>;

interface PropertyEvent {
  property: string;
  value: unknown;
}

export interface MessageEvent {
  message: Message;
  flags: string[];
  local_message_id?: string;
}

export interface FlagsEvent {
  flag: string;
  messages: number[];
  all: boolean;
  message_details?: Record<string, FlagDetails>;
}
type FlagDetails =
  | { type: 'stream'; stream_id: number; topic: string; mentioned?: boolean }
  | { type: 'private'; user_ids: number[]; mentioned?: boolean };

export interface UpdateEvent {
  message_id: number;
  message_ids: number[];
  flags: string[];
  stream_id?: number;
  new_stream_id?: number;
  orig_subject?: string;
  subject?: string;
  rendered_content?: string;
  edit_timestamp: number;
  rendering_only: boolean;
  is_me_message?: boolean;
  topic_links?: Message['topic_links'];
  propagate_mode?: 'change_one' | 'change_later' | 'change_all';
  user_id?: number | null;
}

export interface DeletionEvent {
  message_ids?: number[];
  message_id?: number;
  /** Of a topic. */
  stream_id?: number;
  topic?: string;
}

type ReactionEvent = Reaction & { message_id: number };

type SubmessageEvent = Omit<Submessage, 'id'> & { message_id: number; submessage_id: number };

export interface TypingEvent {
  message_type: 'direct' | 'stream' | 'channel';
  sender: { user_id: number };
  recipients?: { user_id: number }[];
  stream_id?: number;
  topic?: string;
}

export interface PresenceEvent {
  email?: string;
  presences?: Record<string, Presence>;
  presence?: { website: { pushable?: boolean } };
}

export type PersonChange = Partial<Person> & {
  user_id: number;
  new_email?: string;
  avatar_source?: string;
  avatar_url_medium?: string;
  custom_profile_field?: ProfileValue & { id: number };
};

export type Domain = Snapshot['realm_domains'][number];
