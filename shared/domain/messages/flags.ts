import type { User } from '#shared/domain/users/user.ts';
import type { Alerts } from '../alert-words/alerts.ts';
import { type Marks, rareFlags } from '../reading/marks.ts';
import { hasReceived, isUnread } from './access.ts';
import { mentionFlagsOf, type RecipientSets } from './mentions.ts';
import type { Message, MessageFacts } from './message.ts';
import type { Subscriptions } from './moving/move-history.ts';

/** Whether a message is in the user's history: they received it, or marked it after finding it. */
export const isTheirs = (
  user: User,
  message: MessageFacts,
  subscriptions: Subscriptions,
  marks: Marks,
): boolean =>
  hasReceived(user, message, subscriptions) ||
  marks.isMarkedUnread(message.messageId) ||
  rareFlags.some((flag) => marks.has(flag, message.messageId));

/** The data that flags are computed from; it must be loaded for the messages in question. */
export interface FlagSources {
  marks: Marks;
  alerts: Alerts;
  recipientSets: RecipientSets;
}

/**
 * The flags of a message for a user. A message that the user never received counts as read until they mark it
 * as unread, and has no mention or alert-word flags.
 */
export function flagsOf(
  user: User,
  message: Message,
  subscriptions: Subscriptions,
  { marks, alerts, recipientSets }: FlagSources,
): string[] {
  const received = hasReceived(user, message, subscriptions);
  return [
    ...(isUnread(user, message, subscriptions, marks) ? [] : ['read']),
    ...rareFlags.filter((flag) => marks.has(flag, message.messageId)),
    ...(received ? mentionFlagsOf(user.userId, message, recipientSets) : []),
    ...(received && alerts.concern(message) ? ['has_alert_word'] : []),
    ...(received ? [] : ['historical']),
  ];
}
