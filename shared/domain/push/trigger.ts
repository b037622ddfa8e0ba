import type { MentionFlag } from '#shared/domain/messages/mentions.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { UserSettings } from '#shared/domain/settings/user-settings.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import { isFollowed, isMutedFor, type TopicPolicies } from '#shared/domain/topics/visibility.ts';
import type { User } from '#shared/domain/users/user.ts';

/** Why somebody is notified of a message. */
export type PushTrigger =
  | 'direct_message'
  | 'mentioned'
  | 'wildcard_in_followed_topic'
  | 'wildcard'
  | 'followed_topic'
  | 'channel';

/** Those that a mention is the reason for. */
const ofMentions: (PushTrigger | undefined)[] = ['mentioned', 'wildcard_in_followed_topic', 'wildcard'];
export const isOfMention = (trigger: PushTrigger | undefined): boolean => ofMentions.includes(trigger);

/** What somebody wants to be notified of. */
export interface PushWishes {
  settings: UserSettings;
  /** To the channel of the message. */
  subscription: Subscription | undefined;
  policies: TopicPolicies;
  /** Those by which the message mentions them. */
  flags: MentionFlag[];
}

/** The one list of what devices are notified of; undefined for all other messages. Whom a message names hears of it also where the topic is muted. */
export function triggerOf(message: Message, wishes: PushWishes): PushTrigger | undefined {
  const { settings, subscription, flags } = wishes;
  if (flags.includes('mentioned') && settings.enable_offline_push_notifications) return 'mentioned';
  if (message.kind === 'direct')
    return settings.enable_offline_push_notifications ? 'direct_message' : undefined;
  if (isMutedFor(message, wishes)) return undefined;
  const isWildcard = flags.includes('wildcard_mentioned') && settings.enable_offline_push_notifications;
  if (isWildcard && settings.enable_followed_topic_wildcard_mentions_notify && isFollowed(message, wishes))
    return 'wildcard_in_followed_topic';
  if (isWildcard && (subscription?.wildcardMentionsNotify ?? settings.wildcard_mentions_notify))
    return 'wildcard';
  if (settings.enable_followed_topic_push_notifications && isFollowed(message, wishes))
    return 'followed_topic';
  return (subscription?.pushNotifications ?? settings.enable_stream_push_notifications)
    ? 'channel'
    : undefined;
}

/** Whether it has to be known if somebody is away. */
export const dependsOnPresence = ({ settings }: PushWishes): boolean =>
  !settings.enable_online_push_notifications;

/** What may keep somebody from being notified after all. */
export interface PushReceiver {
  user: User;
  settings: UserSettings;
  mutedUserIds: number[];
  /** Whether they are away from their other devices; decides only where `dependsOnPresence` says so. */
  isIdle: boolean;
}

/** Whether somebody is not to be disturbed by a message, whatever it is. */
export function isSpared(message: Message, { user, settings, mutedUserIds, isIdle }: PushReceiver): boolean {
  if (!user.isActive || message.senderId === user.userId) return true;
  if (mutedUserIds.includes(message.senderId)) return true;
  return !isIdle && !settings.enable_online_push_notifications;
}
