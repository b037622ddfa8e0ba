import { topicsPolicyOf } from './channels.ts';
import { isInGroup } from './groups.ts';
import type { Channel, Snapshot } from './wire.ts';
import type { Message } from './wire-messages.ts';
import type { Group, GroupValue } from './wire-people.ts';

/**
 * What the viewer may do, by the settings and groups by which the service decides. The service has the last word: limits
 * of time are judged by one message, and rules about bots and history are left to it.
 */

/** The groups of the viewer, directly or through other groups; counted once for each state of the groups. */
const ownGroups = new WeakMap<Group[], ReadonlySet<number>>();

function listOwnGroups({ realm_user_groups: groups, user_id: ownId }: Snapshot): ReadonlySet<number> {
  const known = ownGroups.get(groups);
  if (known) return known;
  const own = new Set(groups.map(({ id }) => id).filter((id) => isInGroup(groups, ownId, id)));
  ownGroups.set(groups, own);
  return own;
}

/** Whether the viewer is in one of the groups that settings name. Services of earlier versions lack some settings. */
export function isInAny(server: Snapshot, ...settings: (GroupValue | undefined)[]): boolean {
  const own = listOwnGroups(server);
  return settings.some((setting) => {
    if (typeof setting !== 'object') return setting !== undefined && own.has(setting);
    const { direct_members: people, direct_subgroups: groups } = setting;
    return people.includes(server.user_id) || groups.some((id) => own.has(id));
  });
}

/** Settings that were made for a channel that is not archived. */
const isInAnyOf = (
  server: Snapshot,
  channel: Channel | undefined,
  realm: GroupValue,
  ofChannel: GroupValue | undefined,
): boolean =>
  channel !== undefined &&
  !channel.is_archived &&
  isInAny(server, realm, ofChannel, channel.can_administer_channel_group);

const isWithin = (
  { timestamp }: Pick<Message, 'timestamp'>,
  limitSeconds: number | null,
  nowSeconds: number,
): boolean => limitSeconds === null || nowSeconds <= timestamp + limitSeconds;

/** Topics without a name cannot be marked. */
export const mayResolve = (server: Snapshot, channel: Channel | undefined, topic: string): boolean =>
  topic !== '' &&
  isInAnyOf(server, channel, server.realm_can_resolve_topics_group, channel?.can_resolve_topics_group);

/** Moderators move messages of any age. */
const isInTime = (
  server: Snapshot,
  message: Pick<Message, 'timestamp'> | undefined,
  limitSeconds: number | null,
  nowSeconds: number,
): boolean => message === undefined || server.is_moderator || isWithin(message, limitSeconds, nowSeconds);

/** Whether the viewer may change the topic of a message, or of some message if none is named. */
export const mayRename = (
  server: Snapshot,
  channel: Channel | undefined,
  message: Pick<Message, 'timestamp'> | undefined,
  nowSeconds: number,
): boolean =>
  isInAnyOf(
    server,
    channel,
    server.realm_can_move_messages_between_topics_group,
    channel?.can_move_messages_within_channel_group,
  ) &&
  topicsPolicyOf(server, channel) !== 'empty_topic_only' &&
  isInTime(server, message, server.realm_move_messages_within_stream_limit_seconds, nowSeconds);

/** Whether the viewer may move messages to another channel. */
export const mayMoveOut = (
  server: Snapshot,
  channel: Channel | undefined,
  message: Pick<Message, 'timestamp'> | undefined,
  nowSeconds: number,
): boolean =>
  isInAnyOf(
    server,
    channel,
    server.realm_can_move_messages_between_channels_group,
    channel?.can_move_messages_out_of_channel_group,
  ) && isInTime(server, message, server.realm_move_messages_between_streams_limit_seconds, nowSeconds);

/** Whether the viewer may delete messages of others, in a channel or in direct conversations. */
export const mayDeleteAny = (server: Snapshot, channel: Channel | undefined): boolean =>
  isInAny(server, server.realm_can_delete_any_message_group, channel?.can_delete_any_message_group);

/** Whether the viewer may change the text of a message. */
export const mayEdit = (
  server: Snapshot,
  channel: Channel | undefined,
  message: Message,
  nowSeconds: number,
): boolean =>
  message.sender_id === server.user_id &&
  server.realm_allow_message_editing &&
  channel?.is_archived !== true &&
  message.submessages.length === 0 &&
  isWithin(message, server.realm_message_content_edit_limit_seconds, nowSeconds);

export function mayDelete(
  server: Snapshot,
  channel: Channel | undefined,
  message: Message,
  nowSeconds: number,
): boolean {
  if (mayDeleteAny(server, channel)) return true;
  const isOwn =
    message.sender_id === server.user_id ||
    server.realm_users.some(
      (user) => user.user_id === message.sender_id && user.bot_owner_id === server.user_id,
    );
  return (
    isOwn &&
    channel?.is_archived !== true &&
    isInAny(server, server.realm_can_delete_own_message_group, channel?.can_delete_own_message_group) &&
    isWithin(message, server.realm_message_content_delete_limit_seconds, nowSeconds)
  );
}

/** Whether the viewer may subscribe to a channel without being added. */
export function mayJoin(server: Snapshot, channel: Channel): boolean {
  if (channel.is_archived) return false;
  if (channel.is_web_public || isInAny(server, channel.can_subscribe_group)) return true;
  return !server.is_guest && (!channel.invite_only || isInAny(server, channel.can_add_subscribers_group));
}

/** Whether the viewer may change the settings of a channel. */
export const mayAdminister = (server: Snapshot, channel: Channel): boolean =>
  !server.is_guest && (server.is_admin || isInAny(server, channel.can_administer_channel_group));

/** Whether the viewer may subscribe others to a channel that they read or may join. */
export const mayAddSubscribers = (server: Snapshot, channel: Channel): boolean =>
  !(server.is_guest || channel.is_archived) &&
  (mayJoin(server, channel) || server.subscriptions.some(({ stream_id: id }) => id === channel.stream_id)) &&
  (mayAdminister(server, channel) ||
    isInAny(server, server.realm_can_add_subscribers_group, channel.can_add_subscribers_group));

export const mayRemoveSubscribers = (server: Snapshot, channel: Channel): boolean =>
  server.is_admin ||
  isInAny(server, channel.can_remove_subscribers_group, channel.can_administer_channel_group);

/** From so many people on, calling all of them is a right. */
const MANY = 15;

/** Whether the viewer may mention all subscribers of a channel, and all participants of its topics. */
export const mayCallAll = (server: Snapshot, channel: Channel | undefined): boolean =>
  (channel?.subscriber_count ?? 0) <= MANY || isInAny(server, server.realm_can_mention_many_users_group);

/** Whether the viewer may create links that invite any number of people. */
export const mayInviteByLink = (server: Snapshot): boolean =>
  isInAny(server, server.realm_create_multiuse_invite_group);

export const mayInvite = (server: Snapshot): boolean =>
  server.can_invite_others_to_realm || mayInviteByLink(server);

/** Why the viewer may not write to a place; undefined if they may. */
export type Obstacle =
  | 'unknown-channel'
  | 'archived'
  | 'subscribers-only'
  | 'no-right'
  | 'needs-topic'
  | 'no-topics'
  | 'no-new-topic'
  | 'direct-off'
  | 'direct-unauthorized'
  | 'direct-no-start';

/** Whether a conversation has no messages; undefined while that is not known. */
export type IsNew = boolean | undefined;

/** Why the viewer may not write to a channel, whatever the topic. */
export function obstacleInChannel(
  server: Snapshot,
  channel: Channel | undefined,
  isSubscribed: boolean,
): Obstacle | undefined {
  if (!channel) return 'unknown-channel';
  if (channel.is_archived) return 'archived';
  if (channel.invite_only && !isSubscribed) return 'subscribers-only';
  return isInAny(server, channel.can_send_message_group) ? undefined : 'no-right';
}

/** Why the viewer may not write to a topic of a channel to which they may write. */
export function obstacleInTopic(
  server: Snapshot,
  channel: Channel,
  topic: string,
  isNew: IsNew,
): Obstacle | undefined {
  const policy = topicsPolicyOf(server, channel);
  if (topic === '' && policy === 'disable_empty_topic') return 'needs-topic';
  if (topic !== '' && policy === 'empty_topic_only') return 'no-topics';
  return isNew === true && !isInAny(server, channel.can_create_topic_group) ? 'no-new-topic' : undefined;
}

/** Why the viewer may not write to people who are all active. */
export function obstacleToPeople(
  server: Snapshot,
  userIds: readonly number[],
  isNew: IsNew,
): Obstacle | undefined {
  const { user_id: ownId, realm_users: users, realm_user_groups: groups } = server;
  const isPerson = (id: number): boolean => users.some((user) => user.user_id === id && !user.is_bot);
  if (!userIds.some((id) => id !== ownId && isPerson(id))) return undefined;
  const authority = server.realm_direct_message_permission_group;
  if (![ownId, ...userIds].some((id) => isInGroup(groups, id, authority))) {
    const named = groups.find(({ id }) => id === authority);
    return named?.name === 'role:nobody' ? 'direct-off' : 'direct-unauthorized';
  }
  return isNew === true && !isInAny(server, server.realm_direct_message_initiator_group)
    ? 'direct-no-start'
    : undefined;
}
