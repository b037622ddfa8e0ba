import type { Channel } from '#shared/domain/channels/channel.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { TopicLink } from '#shared/domain/linkifiers/links.ts';
import type { ChannelView } from '#shared/domain/messages/access.ts';
import { isPast } from '#shared/domain/messages/editing/edit-content.ts';
import type { PropagateMode } from '#shared/domain/messages/editing/edit-request.ts';
import { KEPT_MOVES } from '#shared/domain/messages/editing/history.ts';
import { MoveMessagesTimeLimitExceeded } from '#shared/domain/messages/errors.ts';
import type { ChannelMessage } from '#shared/domain/messages/message.ts';
import { isResolving, type TopicPlace } from '#shared/domain/messages/topic.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { isPermitted, type Permission } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import { roles, type User } from '#shared/domain/users/user.ts';
import { continueTo, MAX_STOPS } from './move-history.ts';

export type PlacedMessage = ChannelMessage & { messageId: number };

/** The requested move, with the state that decides whether it is allowed. */
export interface MoveAttempt {
  user: User;
  /** The message that the call names, and all that move with it, ascending. */
  message: PlacedMessage;
  all: PlacedMessage[];
  mode: PropagateMode;
  view: ChannelView;
  to: TopicPlace;
  organization: Organization;
  nowSeconds: number;
}

/** @throws BadRequest or MoveMessagesTimeLimitExceeded when the user may not move the messages */
export function requireMayMove(attempt: MoveAttempt): void {
  const { message, to, view, organization, all } = attempt;
  const { settings } = organization;
  if (view.channel.isArchived) throw new BadRequest("You don't have permission to edit this message");
  const isResolved = message.channelId === to.channelId && isResolving(message.topic, to.topic);
  if (isResolved) requireRight(attempt, permissions.resolveTopics, 'resolve topics');
  else if (message.topic !== to.topic) {
    requireRight(attempt, permissions.moveBetweenTopics, 'edit this message');
    requireInTime(attempt, 'topic', settings.move_messages_within_stream_limit_seconds);
  }
  if (message.channelId === to.channelId) return;
  requireRight(attempt, permissions.moveBetweenChannels, 'move this message');
  requireInTime(attempt, 'channel', settings.move_messages_between_streams_limit_seconds);
  if (all.some(({ journey }) => journey && journey.stops.length >= MAX_STOPS))
    throw new BadRequest(`A message cannot be moved between channels more than ${MAX_STOPS} times`);
}

function requireRight({ user, view, organization }: MoveAttempt, permission: Permission, what: string): void {
  const standing = { organization: organization.groups, channel: view.channel.groups };
  if (!isPermitted(user, permission, standing))
    throw new BadRequest(`You don't have permission to ${what}${what === 'resolve topics' ? '.' : ''}`);
}

function requireInTime(
  { user, message, all, mode, nowSeconds }: MoveAttempt,
  what: 'topic' | 'channel',
  limitSeconds: number | null,
): void {
  if (user.role <= roles.moderator) return;
  if (mode !== 'change_all') {
    if (isPast(message, limitSeconds, nowSeconds))
      throw new BadRequest(
        `The time limit for editing this message's ${what} has passed${what === 'topic' ? '.' : ''}`,
      );
    return;
  }
  const allowed = all.filter((message) => !isPast(message, limitSeconds, nowSeconds));
  const [first] = allowed;
  if (!first) throw new BadRequest('The time limit for moving this topic has passed.');
  if (allowed.length < all.length)
    throw new MoveMessagesTimeLimitExceeded({ firstId: first.messageId, count: allowed.length }, all.length);
}

/** The message at its new place, as of a position. */
export function movedMessage(
  message: PlacedMessage,
  to: { channel: Channel; topic: string; topicLinks: TopicLink[] },
  by: { userId: number; atSeconds: number; position: number },
): PlacedMessage {
  const { topicLinks: _links, ...rest } = message;
  const isElsewhere = message.channelId !== to.channel.channelId;
  const isOnlyResolved = !isElsewhere && isResolving(message.topic, to.topic);
  const move = {
    ...by,
    ...(message.topic !== to.topic && { topic: message.topic }),
    ...(isElsewhere && { channelId: message.channelId }),
  };
  return {
    ...rest,
    topic: to.topic,
    ...(to.topicLinks.length > 0 && { topicLinks: to.topicLinks }),
    moves: [move, ...(message.moves ?? [])].slice(0, KEPT_MOVES),
    ...(!isOnlyResolved && { movedAtSeconds: by.atSeconds }),
    ...(isElsewhere && {
      channelId: to.channel.channelId,
      channelName: to.channel.name,
      // Queues of all public messages must not get messages that were sent in private.
      isPublic: message.isPublic && !to.channel.isPrivate,
      journey: continueTo(message, to.channel, by.position),
    }),
  };
}
