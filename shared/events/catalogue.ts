import type { GroupSetting } from '#shared/domain/user-groups/group-setting.ts';
import type { EventFields } from './event-fields.ts';
import type { INTERNAL_QUEUE_REMOVED, StoredFields, StoredType } from './stored-fields.ts';

/**
 * The recipients of an event. Resolved when the log is read, as of the entry's position; if that state is not
 * kept, the audience lists user ids.
 */
export type Audience =
  | { kind: 'everyone' }
  /** Everyone except guests. */
  | { kind: 'members' }
  | { kind: 'administrators'; orUserIds?: number[] }
  | { kind: 'owners' }
  | UsersAudience
  /** The subscribers of the channel. */
  | { kind: 'subscribers'; channelId: number }
  | ReadersAudience
  | HoldersAudience
  | ChannelAudience;

/** Some users, optionally limited by whether they may know of a channel by its reach. */
export interface UsersAudience {
  kind: 'users';
  userIds: number[];
  onlyIf?: ChannelReach;
  unless?: ChannelReach;
}

/**
 * The holders of a channel message: users who received it and may still read it, and subscribers who may read
 * it.
 */
export interface ReadersAudience {
  kind: 'readers';
  channelId: number;
  messageId: number;
  isPrivate: boolean;
  isHistoryPublic: boolean;
}

/** All past and present subscribers of these channels; the event is then shaped for each of them. */
export interface HoldersAudience {
  kind: 'holders';
  channelIds: number[];
}

/** Who may know of a channel besides its subscribers and administrators. */
export interface ChannelReach {
  isPublic: boolean;
  isWebPublic: boolean;
  /**
   * Groups whose members may know of a private channel without being subscribed; guests only through the
   * second list.
   */
  knownToMembersOf?: GroupSetting[];
  knownToAllOf?: GroupSetting[];
}

/**
 * All who may know that the channel exists: members if it is public, subscribers, administrators, some
 * groups.
 */
export interface ChannelAudience extends ChannelReach {
  kind: 'channel';
  channelId: number;
  exceptUserIds?: number[];
  /** For changes of visibility: only users who also may know of the channel by this reach. */
  onlyIf?: ChannelReach;
  /** The opposite: only users who may not. */
  unless?: ChannelReach;
}

/** The `type` and `op` of an event. */
type Tag<Name extends string> = Name extends `${infer Type}/${infer Op}`
  ? { type: Type; op: Op }
  : { type: Name; op?: never };

/** An event in the log, by its type. */
export type PayloadOf<Name extends StoredType> = {
  [Each in Name]: Tag<Each> & StoredFields[Each];
}[Name];

/** An event in the log, before it is shaped for a client. */
export type EventPayload = PayloadOf<StoredType>;

/** An event in the log without its `type`, for functions that add it. */
export type UntypedPayload<Type extends EventPayload['type']> =
  Extract<EventPayload, { type: Type }> extends infer Payload
    ? Payload extends unknown
      ? Omit<Payload, 'type'>
      : never
    : never;

/** An event as clients get it, without its id, by its type. */
export type WireEventOf<Name extends EventType> = { [Each in Name]: Tag<Each> & EventFields[Each] }[Name];

/** An event as clients get it, without its id. */
export type WireEvent = WireEventOf<EventType>;

/** The result of shaping an event: an event for the client, or the end of its queue. */
export type ShapedPayload = WireEvent | QueueEnd;

/** Internal: the end of the queue that an entry is shaped for. */
export type QueueEnd = {
  type: typeof INTERNAL_QUEUE_REMOVED;
  op?: never;
};

/** One event of a log entry. */
export interface LogEvent {
  audience: Audience;
  payload: EventPayload;
  /** The event is about an archived channel; clients that do not support these do not get it. */
  isOfArchived?: true;
}

/** All event types of the service, as `type` or `type/op`. */
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
] as const satisfies (keyof EventFields)[];

/** The name of a type of event: `type`, or `type/op` for types whose events differ by `op`. */
export type EventType = (typeof eventTypes)[number];

/** The known event types among the given names, without duplicates. */
export const knownEventTypes = (names: string[]): string[] => {
  const known = new Set(eventTypes.map((type) => type.split('/')[0]));
  return [...new Set(names)].filter((name) => known.has(name));
};
