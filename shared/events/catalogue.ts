import type { GroupSetting } from '#shared/domain/groups/group-setting.ts';

/**
 * Who gets an event. Resolved when the log is read, as of the position of the entry; where the state of that moment
 * is not kept, the audience carries user ids.
 */
export type Audience =
  | { kind: 'everyone' }
  /** Everyone but guests. */
  | { kind: 'members' }
  | { kind: 'administrators'; orUserIds?: number[] }
  | UsersAudience
  /** Who is subscribed to the channel. */
  | { kind: 'subscribers'; channelId: number }
  | ReadersAudience
  | HoldersAudience
  | ChannelAudience;

/** Some users; of those, where a channel decides, who may know of it by its reach or may not. */
export interface UsersAudience {
  kind: 'users';
  userIds: number[];
  onlyIf?: ChannelReach;
  unless?: ChannelReach;
}

/** Those who have a message of a channel: who received it and may still read it, and who is subscribed and may read it. */
export interface ReadersAudience {
  kind: 'readers';
  channelId: number;
  messageId: number;
  isPrivate: boolean;
  isHistoryPublic: boolean;
}

/** Whoever ever was in one of these channels; what the event tells them of which messages is decided for each of them. */
export interface HoldersAudience {
  kind: 'holders';
  channelIds: number[];
}

/** Who may know of a channel besides its subscribers and administrators. */
export interface ChannelReach {
  isPublic: boolean;
  isWebPublic: boolean;
  /** Groups whose members may know of a private channel without being in it; guests only by the second list. */
  knownToMembersOf?: GroupSetting[];
  knownToAllOf?: GroupSetting[];
}

/** Those who may know that the channel exists: members of a public one, subscribers, administrators, some groups. */
export interface ChannelAudience extends ChannelReach {
  kind: 'channel';
  channelId: number;
  exceptUserIds?: number[];
  /** Where a change alters who may know of the channel: only those who also may by this reach. */
  onlyIf?: ChannelReach;
  /** The same: not those who also may by this reach. */
  unless?: ChannelReach;
}

/** The wire form of an event before it is shaped for one client. */
export type EventPayload = { type: string; op?: string } & Record<string, unknown>;

/** One event of a log entry. */
export interface LogEvent {
  audience: Audience;
  payload: EventPayload;
  /** It tells of an archived channel: clients that know of none do not get it. */
  isOfArchived?: true;
}

/** Every event type that the service sends, as `type` or `type/op`. */
export const eventTypes = [
  'alert_words',
  'attachment/add',
  'attachment/remove',
  'attachment/update',
  'channel_folder/add',
  'channel_folder/reorder',
  'channel_folder/update',
  'custom_profile_fields',
  'default_stream_groups',
  'default_streams',
  'delete_message',
  'device/add',
  'device/remove',
  'device/update',
  'drafts/add',
  'drafts/remove',
  'drafts/update',
  'heartbeat',
  'invites_changed',
  'message',
  'reaction/add',
  'reaction/remove',
  'navigation_view/add',
  'navigation_view/remove',
  'navigation_view/update',
  'realm_bot/add',
  'realm_bot/delete',
  'realm_bot/update',
  'muted_topics',
  'muted_users',
  'presence',
  'realm/deactivated',
  'realm/update',
  'realm/update_dict',
  'realm_domains/add',
  'realm_domains/change',
  'realm_domains/remove',
  'realm_export',
  'realm_emoji/add',
  'realm_emoji/update',
  'realm_emoji/update_one',
  'realm_export_consent',
  'realm_linkifiers',
  'realm_playgrounds',
  'realm_user/add',
  'realm_user/remove',
  'realm_user/update',
  'realm_user_settings_defaults/update',
  'reminders/add',
  'reminders/remove',
  'saved_snippets/add',
  'saved_snippets/remove',
  'saved_snippets/update',
  'scheduled_messages/add',
  'scheduled_messages/remove',
  'scheduled_messages/update',
  'stream/create',
  'stream/delete',
  'stream/update',
  'submessage',
  'subscription/add',
  'subscription/peer_add',
  'subscription/peer_remove',
  'subscription/remove',
  'subscription/update',
  'typing/start',
  'typing/stop',
  'typing_edit_message/start',
  'typing_edit_message/stop',
  'update_message',
  'update_message_flags/add',
  'user_group/add',
  'user_group/add_members',
  'user_group/add_subgroups',
  'user_group/remove',
  'user_group/remove_members',
  'user_group/remove_subgroups',
  'user_group/update',
  'update_message_flags/remove',
  'user_settings/update',
  'user_status',
  'user_topic',
] as const;

/** The event types among the given names that the service sends, each once. */
export const knownEventTypes = (names: string[]): string[] => {
  const known = new Set(eventTypes.map((type) => type.split('/')[0]));
  return [...new Set(names)].filter((name) => known.has(name));
};

/** Tells polls of a queue that the queue is gone; no client ever sees it. */
export const INTERNAL_QUEUE_REMOVED = 'queue_removed';

/** Tells polls that the API key with which they were let in is worthless; no client ever sees it. */
export const INTERNAL_KEY_ENDED = 'key_ended';

/** Ends the polls of a user whose key has an earlier version. */
export interface KeyEnd {
  type: typeof INTERNAL_KEY_ENDED;
  userId: number;
  /** The first version that is good again. */
  keyVersion: number;
}
