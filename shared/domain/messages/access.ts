import type { Channel } from '#shared/domain/channels/channel.ts';
import {
  isSubscribed,
  type Subscription,
  wasSubscribedAt,
} from '#shared/domain/subscriptions/subscription.ts';
import { isGuest, type User } from '#shared/domain/users/user.ts';
import type { Audience } from '#shared/events/catalogue.ts';
import type { Alerts } from '../alert-words/alerts.ts';
import { type Marks, rareFlags } from '../reading/marks.ts';
import type { Message, MessageFacts } from './message.ts';

/** What decides whether a user may read a message of a channel. */
export interface ChannelView {
  channel: Channel;
  subscription: Subscription | undefined;
}

type Reader = Pick<User, 'userId'>;

/** Whether the user got the message: as a participant, or by a subscription of that time. */
export function hasReceived(
  user: Reader,
  message: MessageFacts,
  subscription: Subscription | undefined,
): boolean {
  if (message.kind === 'direct') return message.recipients.some(({ id }) => id === user.userId);
  return wasSubscribedAt(subscription, message.messageId);
}

/** Whether a message is among the user's own: they received it, or came across it and marked it. */
export const isTheirs = (
  user: User,
  message: MessageFacts,
  subscription: Subscription | undefined,
  marks: Marks,
): boolean =>
  hasReceived(user, message, subscription) ||
  marks.isMarkedUnread(message.messageId) ||
  rareFlags.some((flag) => marks.has(flag, message.messageId));

/** The one answer to "may this user read this message"; everything that shows messages asks it. */
export function mayRead(user: User, message: MessageFacts, view: ChannelView | undefined): boolean {
  if (message.kind === 'direct') return hasReceived(user, message, undefined);
  if (!view) return false;
  if (hasContentAccess(user, view)) {
    return view.channel.isHistoryPublic || wasSubscribedAt(view.subscription, message.messageId);
  }
  return !view.channel.isPrivate && wasSubscribedAt(view.subscription, message.messageId);
}

/** Who hears of what happens to the message: those who have it, and those who follow its channel and may read it. */
export function readersOf(message: Message, view: ChannelView | undefined): Audience {
  if (message.kind === 'direct') return { kind: 'users', userIds: message.recipients.map(({ id }) => id) };
  const { channelId, messageId } = message;
  const { isPrivate = true, isHistoryPublic = false } = view?.channel ?? {};
  return { kind: 'readers', channelId, messageId, isPrivate, isHistoryPublic };
}

/** Whether the user may read what is sent to the channel now: subscribers, and members where it is public. */
export function hasContentAccess(user: User, { channel, subscription }: ChannelView): boolean {
  if (channel.isWebPublic || isSubscribed(subscription)) return true;
  return !channel.isPrivate && !isGuest(user);
}

/**
 * The flags of a message for a user. What was never received counts as read until it is marked as unread, and no word
 * of it alerts them.
 */
export function flagsOf(
  user: User,
  message: Message,
  subscription: Subscription | undefined,
  marks: Marks,
  alerts: Alerts,
): string[] {
  const received = hasReceived(user, message, subscription);
  return [
    ...(isUnread(user, message, subscription, marks) ? [] : ['read']),
    ...rareFlags.filter((flag) => marks.has(flag, message.messageId)),
    ...(received && alerts.concern(message) ? ['has_alert_word'] : []),
    ...(received ? [] : ['historical']),
  ];
}

/**
 * Whether a message is unread: because it was marked so, or because it was received above the floor of the user and
 * of the subscription, was not read by its sender, and was not marked as read.
 */
export function isUnread(
  user: Reader,
  message: MessageFacts,
  subscription: Subscription | undefined,
  marks: Marks,
): boolean {
  const { messageId } = message;
  const isReceived = hasReceived(user, message, subscription);
  if (marks.isMarkedUnread(messageId)) return isReceived || isSubscribed(subscription);
  if (!isReceived || marks.isMarkedRead(messageId)) return false;
  if (messageId <= Math.max(marks.state.floor, subscription?.readThrough ?? 0)) return false;
  return !isReadAsSent(user, message);
}

/** The message as it is shown: under the name that its channel has now. */
export const asShown = (message: Message, view: ChannelView | undefined): Message =>
  message.kind === 'channel' && view ? { ...message, channelName: view.channel.name } : message;

/** Whether the user sent the message through a program that shows what it sends. */
export const isReadAsSent = (user: Reader, message: MessageFacts): boolean =>
  message.isReadBySender && message.senderId === user.userId;
