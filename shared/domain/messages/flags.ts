import type { User } from '#shared/domain/users/user.ts';
import type { Alerts } from '../alert-words/alerts.ts';
import { type Marks, rareFlags } from '../reading/marks.ts';
import { hasReceived, isUnread } from './access.ts';
import type { Subscriptions } from './journey.ts';
import { mentionFlagsOf, type Rosters } from './mentions.ts';
import type { Message, MessageFacts } from './message.ts';

/** Whether a message is among the user's own: they received it, or came across it and marked it. */
export const isTheirs = (
  user: User,
  message: MessageFacts,
  subscriptions: Subscriptions,
  marks: Marks,
): boolean =>
  hasReceived(user, message, subscriptions) ||
  marks.isMarkedUnread(message.messageId) ||
  rareFlags.some((flag) => marks.has(flag, message.messageId));

/** What flags are made of; it must have been loaded for the messages in question. */
export interface FlagSources {
  marks: Marks;
  alerts: Alerts;
  rosters: Rosters;
}

/**
 * The flags of a message for a user. What was never received counts as read until it is marked as unread, mentions
 * nobody, and no word of it alerts them.
 */
export function flagsOf(
  user: User,
  message: Message,
  subscriptions: Subscriptions,
  { marks, alerts, rosters }: FlagSources,
): string[] {
  const received = hasReceived(user, message, subscriptions);
  return [
    ...(isUnread(user, message, subscriptions, marks) ? [] : ['read']),
    ...rareFlags.filter((flag) => marks.has(flag, message.messageId)),
    ...(received ? mentionFlagsOf(user.userId, message, rosters) : []),
    ...(received && alerts.concern(message) ? ['has_alert_word'] : []),
    ...(received ? [] : ['historical']),
  ];
}
