import type { MentionFlag } from '#shared/domain/messages/mentions.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { TopicPlace } from '#shared/domain/messages/topic.ts';
import type { UserSettings } from '#shared/domain/settings/user-settings.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import { isFollowed, isMutedFor, type TopicPolicies } from '#shared/domain/topics/visibility.ts';
import type { User } from '#shared/domain/users/user.ts';

/** The reason for a notification. */
export type PushTrigger =
  | 'direct_message'
  | 'mentioned'
  | 'wildcard_in_followed_topic'
  | 'wildcard'
  | 'followed_topic'
  | 'channel';

/** Reasons that are mentions. */
const ofMentions: (PushTrigger | undefined)[] = ['mentioned', 'wildcard_in_followed_topic', 'wildcard'];
export const isOfMention = (trigger: PushTrigger | undefined): boolean => ofMentions.includes(trigger);

/** A user's notification preferences, and the state to which they are compared. */
export interface PushWishes {
  settings: UserSettings;
  /** The user's subscription to the message's channel. */
  subscription: Subscription | undefined;
  policies: TopicPolicies;
  /** The user's mention flags of the message. */
  flags: MentionFlag[];
}

/**
 * The complete rule for notifications; undefined for messages without one. A direct mention notifies even in
 * muted topics.
 */
export function triggerOf(message: Message, wishes: PushWishes): PushTrigger | undefined {
  const { settings, flags } = wishes;
  if (flags.includes('mentioned') && settings.enable_offline_push_notifications) return 'mentioned';
  if (message.kind === 'direct')
    return settings.enable_offline_push_notifications ? 'direct_message' : undefined;
  if (isMutedFor(message, wishes)) return undefined;
  return wildcardTriggerOf(message, wishes) ?? channelTriggerOf(message, wishes);
}

function wildcardTriggerOf(message: TopicPlace, wishes: PushWishes): PushTrigger | undefined {
  const { settings, subscription, flags } = wishes;
  if (!flags.includes('wildcard_mentioned') || !settings.enable_offline_push_notifications) return undefined;
  if (settings.enable_followed_topic_wildcard_mentions_notify && isFollowed(message, wishes))
    return 'wildcard_in_followed_topic';
  return (subscription?.wildcardMentionsNotify ?? settings.wildcard_mentions_notify) ? 'wildcard' : undefined;
}

/** The reason for a message that mentions nobody. */
function channelTriggerOf(message: TopicPlace, wishes: PushWishes): PushTrigger | undefined {
  const { settings, subscription } = wishes;
  if (settings.enable_followed_topic_push_notifications && isFollowed(message, wishes))
    return 'followed_topic';
  return (subscription?.pushNotifications ?? settings.enable_stream_push_notifications)
    ? 'channel'
    : undefined;
}

/** Whether the rule depends on the user's presence. */
export const dependsOnPresence = ({ settings }: PushWishes): boolean =>
  !settings.enable_online_push_notifications;

/** What may suppress a notification. */
export interface PushReceiver {
  user: User;
  settings: UserSettings;
  mutedUserIds: number[];
  /** Whether the user is away; only needed when `dependsOnPresence` is true. */
  isIdle: boolean;
}

/** Whether a user gets no notification of a message, whatever the reason for it. */
export function isSpared(message: Message, { user, settings, mutedUserIds, isIdle }: PushReceiver): boolean {
  if (!user.isActive || message.senderId === user.userId) return true;
  if (mutedUserIds.includes(message.senderId)) return true;
  return !isIdle && !settings.enable_online_push_notifications;
}
