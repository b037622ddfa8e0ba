import type { Channel } from '#shared/domain/channels/channel.ts';
import {
  isSubscribed,
  type Subscription,
  wasSubscribedAt,
} from '#shared/domain/subscriptions/subscription.ts';
import { isGuest, type User } from '#shared/domain/users/user.ts';
import type { Message, MessageFacts } from './message.ts';

/** What decides whether a user may read a message of a channel. */
export interface ChannelView {
  channel: Channel;
  subscription: Subscription | undefined;
}

/** Whether the user got the message: as a participant, or by a subscription of that time. */
export function hasReceived(
  user: User,
  message: MessageFacts,
  subscription: Subscription | undefined,
): boolean {
  if (message.kind === 'direct') return message.recipients.some(({ id }) => id === user.userId);
  return wasSubscribedAt(subscription, message.messageId);
}

/** The one answer to "may this user read this message"; everything that shows messages asks it. */
export function mayRead(user: User, message: Message, view: ChannelView | undefined): boolean {
  if (message.kind === 'direct') return hasReceived(user, message, undefined);
  if (!view) return false;
  if (hasContentAccess(user, view)) {
    return view.channel.isHistoryPublic || wasSubscribedAt(view.subscription, message.messageId);
  }
  return !view.channel.isPrivate && wasSubscribedAt(view.subscription, message.messageId);
}

/** Whether the user may read what is sent to the channel now: subscribers, and members where it is public. */
export function hasContentAccess(user: User, { channel, subscription }: ChannelView): boolean {
  if (channel.isWebPublic || isSubscribed(subscription)) return true;
  return !channel.isPrivate && !isGuest(user);
}

/** The flags of a message for a user. What was never received counts as read. */
export function flagsOf(
  user: User,
  message: Message,
  subscription: Subscription | undefined,
  readFloor: number,
): string[] {
  if (!hasReceived(user, message, subscription)) return ['read', 'historical'];
  return isUnread(user, message, subscription, readFloor) ? [] : ['read'];
}

/** Whether a received message is unread: above the floor of the user and of the subscription, and not read by its sender. */
export function isUnread(
  user: User,
  message: MessageFacts,
  subscription: Subscription | undefined,
  readFloor: number,
): boolean {
  if (message.messageId <= Math.max(readFloor, subscription?.readThrough ?? 0)) return false;
  return !(message.senderId === user.userId && message.isReadBySender);
}

/** The message as it is shown: under the name that its channel has now. */
export const asShown = (message: Message, view: ChannelView | undefined): Message =>
  message.kind === 'channel' && view ? { ...message, channelName: view.channel.name } : message;
