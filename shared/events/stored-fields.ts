import type { ChannelRecord } from '#shared/domain/channels/channel.ts';
import type { Mentions } from '#shared/domain/messages/mentions.ts';
import type { MoveHistory } from '#shared/domain/messages/moving/move-history.ts';
import type { Presence } from '#shared/domain/presence/presence.ts';
import type { UnreadPlace } from '#shared/domain/reading/events.ts';
import type { Beside } from '#shared/domain/user-groups/events.ts';
import type { AddressState } from '#shared/domain/users/events.ts';
import type { Role, User } from '#shared/domain/users/user.ts';
import type {
  Attached,
  ChannelPropertyChange,
  EventFields,
  MessageChange,
  PersonChange,
  Submessage,
} from './event-fields.ts';

/** Internal: notifies polls of a queue that it has been deleted. */
export const INTERNAL_QUEUE_REMOVED = 'queue_removed';

/** Internal: notifies polls that their API key is invalid. */
export const INTERNAL_KEY_ENDED = 'key_ended';

/** Internal: notifies polls that their browser was signed out. */
export const INTERNAL_SESSION_ENDED = 'session_ended';

/**
 * The fields of events in the log, as far as they differ from what clients get: with data that decides how a
 * client gets it, or once for many users.
 */
interface DifferentFields {
  'attachment/update': Attached & { isNamedHere?: true };
  delete_message: ChannelDeletion | { message_type: 'private'; message_ids: number[] };
  presence: StoredPresence;
  'realm_user/add': { user: User };
  'realm_user/update': UserUpdate;
  'stream/create': { streams: ChannelRecord[] } | ChannelsRevealed;
  'stream/delete': { streams: { stream_id: number }[]; stream_ids: number[] } | ChannelsConcealed;
  'stream/update': ChannelPropertyChange & Returned;
  submessage: Submessage;
  'subscription/add': SubscriptionAddition;
  'subscription/peer_add': EventFields['subscription/peer_add'] & Appeared;
  update_message: MessageChange & Decisive;
  'update_message_flags/add': StoredFlags<'add'> & { ids: Uint8Array; unreadAfter?: number };
  'update_message_flags/remove': StoredFlags<'remove'> & ({ ids: Uint8Array } | { places: UnreadPlace[] });
  'user_group/add': EventFields['user_group/add'] & WithBeside;
  'user_group/add_members': EventFields['user_group/add_members'] & WithBeside;
  'user_group/add_subgroups': EventFields['user_group/add_subgroups'] & WithBeside;
  'user_group/remove_members': EventFields['user_group/remove_members'] & WithBeside;
  'user_group/remove_subgroups': EventFields['user_group/remove_subgroups'] & WithBeside;
  'user_group/update': EventFields['user_group/update'] & WithBeside;
  [INTERNAL_QUEUE_REMOVED]: { queueId: string };
  [INTERNAL_KEY_ENDED]: KeyEnd;
  [INTERNAL_SESSION_ENDED]: SessionEnd;
}

/** Messages are entries of their own, and the others arise when an entry is read. */
type NeverStored = 'heartbeat' | 'message' | 'realm_emoji/update' | 'realm_user/remove' | 'user_group/remove';

/** The fields of each event in the log, by `type` or `type/op`. */
export interface StoredFields
  extends Omit<EventFields, keyof DifferentFields | NeverStored>,
    DifferentFields {}

/** The name of a type of event in the log. */
export type StoredType = keyof StoredFields;

/** Deleted channel messages, with the data that decides who could read them. */
export type ChannelDeletion = {
  message_type: 'stream';
  stream_id: number;
  topic: string;
  message_ids: number[];
  /** Whether all readers of the channel could read the messages, and whether those are all members or everyone. */
  isHistoryPublic: boolean;
  isPublic: boolean;
  isWebPublic: boolean;
  /** The arrival positions of messages that came from other channels. */
  arrivals?: Record<string, number>;
};

/** Each client gets the format that it supports. */
type StoredPresence = {
  user_id: number;
  email: string;
  server_timestamp: number;
  presence: Presence;
};

/** A change of a user: of public fields, of the owner of a bot, of the address or picture, or of the role. */
type UserUpdate =
  | { person: PersonChange }
  | { person: { user_id: number; bot_owner_id: number }; previousOwnerId: number | null }
  | AddressChange
  | RoleChange;

/** Each client gets the part of the address that it may see. */
export type AddressChange = {
  person: { user_id: number };
  before: AddressState;
  after: AddressState;
};

/** The user also gets what becomes visible or hidden. */
export type RoleChange = {
  person: { user_id: number; role: Role };
  previousRole: Role;
};

/**
 * Channels that become visible to users who are not subscribed. There may be too many to include records and
 * subscribers, so these are loaded when the event is read.
 */
export type ChannelsRevealed = {
  revealed: number[];
};

/** Channels that become hidden from users who are not subscribed. */
export type ChannelsConcealed = {
  concealed: number[];
};

/** For clients without support for archived channels: the record and subscribers of an unarchived one. */
type Returned = {
  record?: ChannelRecord;
  subscriberIds?: number[];
};

/** Channel records once, and the users with their colours. */
export type SubscriptionAddition = {
  channels: ChannelRecord[];
  rows: [userId: number, channelId: number, color: string][];
  /** Channels created by the same entry. */
  created?: number[];
};

/** The record of a channel that becomes visible, for its former subscribers. */
type Appeared = {
  appeared?: ChannelRecord;
};

/** What decides how a change of messages affects a user. */
type Decisive = {
  /** Absent for direct messages. */
  reach?: Reach;
  /** The earlier mentions, if the change affects them. */
  mentionsBefore?: Mentions;
};

/** A channel at the time of the event, as far as it decides about readers. */
export type ChannelThen = {
  channelId: number;
  isPrivate: boolean;
  isWebPublic: boolean;
  isHistoryPublic: boolean;
};

/** What decides how a change of channel messages affects a user. */
export type Reach = {
  from: ChannelThen;
  /** The destination of moved messages. */
  to?: ChannelThen;
  /** The move history of messages that had been moved before. */
  journeys?: Record<string, MoveHistory>;
};

/** The ids of the messages are packed. */
type StoredFlags<Op> = {
  operation: Op;
  flag: string;
  all: boolean;
};

/** Data for clients without support for deactivated groups. */
type WithBeside = {
  beside?: Beside;
};

/** Ends the polls of a user that use an earlier key version. */
export type KeyEnd = {
  userId: number;
  /** The first valid version. */
  keyVersion: number;
};

/** Ends the polls of a user that use these sessions. */
export type SessionEnd = {
  userId: number;
  tokenDigests: string[];
};
