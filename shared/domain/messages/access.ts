import type { Channel } from '#shared/domain/channels/channel.ts';
import {
  isSubscribed,
  type Subscription,
  wasSubscribedAt,
} from '#shared/domain/subscriptions/subscription.ts';
import { isGuest, type User } from '#shared/domain/users/user.ts';
import type { Audience } from '#shared/events/catalogue.ts';
import type { Marks } from '../reading/marks.ts';
import { arrivalOf, channelsOnTheWay, type Subscriptions, wasAlongTheWay, wasLeftBehind } from './journey.ts';
import type { Message, MessageFacts } from './message.ts';

/** What decides whether a user may read a message of a channel. */
export interface ChannelView {
  channel: Channel;
  subscription: Subscription | undefined;
}

type Reader = Pick<User, 'userId'>;

/** The subscriptions of a user by the channels that were loaded. */
export const subscriptionsIn = (views: ReadonlyMap<number, ChannelView>): Subscriptions => ({
  get: (channelId) => views.get(channelId)?.subscription,
});

/** All channels in which a message ever was; none of a direct one. */
export const channelsOf = (message: MessageFacts): number[] =>
  message.kind === 'channel' ? channelsOnTheWay(message) : [];

/** For messages that were never in another channel. */
export const onlySubscription = (subscription: Subscription | undefined): Subscriptions => ({
  get: (channelId) => (subscription?.channelId === channelId ? subscription : undefined),
});

/**
 * Whether the user got the message: as a participant, or by a subscription of that time, and where it was moved through
 * channels by one to each of them when it came there.
 */
export function hasReceived(user: Reader, message: MessageFacts, subscriptions: Subscriptions): boolean {
  if (message.kind === 'direct') return message.recipients.some(({ id }) => id === user.userId);
  return wasAlongTheWay(message, subscriptions);
}

/** The one answer to "may this user read this message"; everything that shows messages asks it. */
export function mayRead(user: User, message: MessageFacts, view: ChannelView | undefined): boolean {
  if (message.kind === 'direct') return message.recipients.some(({ id }) => id === user.userId);
  if (!view) return false;
  const wasThere = wasSubscribedAt(view.subscription, arrivalOf(message));
  if (hasContentAccess(user, view)) return view.channel.isHistoryPublic || wasThere;
  return !view.channel.isPrivate && wasThere;
}

/** Who hears of what happens to the message: those who have it, and those who follow its channel and may read it. */
export function readersOf(message: Message, view: ChannelView | undefined): Audience {
  if (message.kind === 'direct') return { kind: 'users', userIds: message.recipients.map(({ id }) => id) };
  const { channelId } = message;
  const { isPrivate = true, isHistoryPublic = false } = view?.channel ?? {};
  return { kind: 'readers', channelId, messageId: arrivalOf(message), isPrivate, isHistoryPublic };
}

/** Whether the user may read what is sent to the channel now: subscribers, and members where it is public. */
export function hasContentAccess(user: User, { channel, subscription }: ChannelView): boolean {
  if (channel.isWebPublic || isSubscribed(subscription)) return true;
  return !channel.isPrivate && !isGuest(user);
}

/**
 * Whether a message is unread: because it was marked so, or because it was received above the floor of the user and
 * of the subscription, was not read by its sender, and was not marked as read.
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

/** The message as it is shown: under the name that its channel has now. */
export const asShown = (message: Message, view: ChannelView | undefined): Message =>
  message.kind === 'channel' && view ? { ...message, channelName: view.channel.name } : message;

/** Whether the user sent the message through a program that shows what it sends. */
export const isReadAsSent = (user: Reader, message: MessageFacts): boolean =>
  message.isReadBySender && message.senderId === user.userId;
