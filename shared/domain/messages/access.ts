import type { Channel } from '#shared/domain/channels/channel.ts';
import { hasContentAccess } from '#shared/domain/channels/permissions.ts';
import {
  isSubscribed,
  type Subscription,
  wasSubscribedAt,
} from '#shared/domain/subscriptions/subscription.ts';
import { reachesChannel, type User } from '#shared/domain/users/user.ts';
import type { Audience } from '#shared/events/catalogue.ts';
import type { Marks } from '../reading/marks.ts';
import type { Message, MessageFacts } from './message.ts';
import {
  arrivalOf,
  channelsOnTheWay,
  type Subscriptions,
  wasAlongTheWay,
  wasLeftBehind,
} from './moving/move-history.ts';

/** What decides whether a user may read a channel's messages. */
export interface ChannelView {
  channel: Channel;
  subscription: Subscription | undefined;
}

type Reader = Pick<User, 'userId'>;

/** The subscriptions of a user in the loaded channels. */
export const subscriptionsIn = (views: ReadonlyMap<number, ChannelView>): Subscriptions => ({
  get: (channelId) => views.get(channelId)?.subscription,
});

/** All channels that the message was ever in; empty for direct messages. */
export const channelsOf = (message: MessageFacts): number[] =>
  message.kind === 'channel' ? channelsOnTheWay(message) : [];

/** For messages that were never in another channel. */
export const onlySubscription = (subscription: Subscription | undefined): Subscriptions => ({
  get: (channelId) => (subscription?.channelId === channelId ? subscription : undefined),
});

/**
 * Whether the user received the message: as a participant or a subscriber of that time; for a moved message,
 * as a subscriber of each channel when it arrived there.
 */
export function hasReceived(user: Reader, message: MessageFacts, subscriptions: Subscriptions): boolean {
  if (message.kind === 'direct') return message.recipients.some(({ id }) => id === user.userId);
  return wasAlongTheWay(message, subscriptions);
}

/** The single rule for "may this user read this message"; everything that shows messages uses it. */
export function mayRead(user: User, message: MessageFacts, view: ChannelView | undefined): boolean {
  if (message.kind === 'direct')
    return user.onlyChannels === undefined && message.recipients.some(({ id }) => id === user.userId);
  if (!view || !reachesChannel(user, message.channelId)) return false;
  const wasThere = wasSubscribedAt(view.subscription, arrivalOf(message));
  if (hasContentAccess(user, view)) return view.channel.isHistoryPublic || wasThere;
  return !view.channel.isPrivate && wasThere;
}

/** The audience of events about the message: users who received it, and subscribers who may read it. */
export function readersOf(message: Message, view: ChannelView | undefined): Audience {
  if (message.kind === 'direct') return { kind: 'users', userIds: message.recipients.map(({ id }) => id) };
  const { channelId } = message;
  const { isPrivate = true, isHistoryPublic = false } = view?.channel ?? {};
  return { kind: 'readers', channelId, messageId: arrivalOf(message), isPrivate, isHistoryPublic };
}

/**
 * Whether a message is unread: it was marked as unread; or it was received above the floors of user and
 * subscription, by a user who did not send it and has not marked it as read.
 */
export function isUnread(
  user: Reader,
  message: MessageFacts,
  subscriptions: Subscriptions,
  marks: Marks,
): boolean {
  const { messageId } = message;
  const isReceived = hasReceived(user, message, subscriptions);
  if (marks.isMarkedUnread(messageId)) return isReceived || follows(message, subscriptions);
  if (!isReceived || marks.isMarkedRead(messageId)) return false;
  if (messageId <= marks.state.floor) return false;
  if (message.kind === 'channel' && wasLeftBehind(message, subscriptions)) return false;
  return !isReadAsSent(user, message);
}

const follows = (message: MessageFacts, subscriptions: Subscriptions): boolean =>
  message.kind === 'channel' && isSubscribed(subscriptions.get(message.channelId));

/** The message as shown, with the current name of its channel. */
export const asShown = (message: Message, view: ChannelView | undefined): Message =>
  message.kind === 'channel' && view ? { ...message, channelName: view.channel.name } : message;

/** Whether the user sent the message with a program that shows it while sending. */
export const isReadAsSent = (user: Reader, message: MessageFacts): boolean =>
  message.isReadBySender && message.senderId === user.userId;
