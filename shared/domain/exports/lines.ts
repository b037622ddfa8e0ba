import { type Channel, toChannelRecord } from '#shared/domain/channels/channel.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { isSubscribed, type Subscription } from '#shared/domain/subscriptions/subscription.ts';
import { toUserRecord } from '#shared/domain/users/record.ts';
import { roles, type User } from '#shared/domain/users/user.ts';
import { toSubmessageRecords } from '#shared/domain/widgets/widget.ts';
import type { ExportType } from './export.ts';
import { anyMember } from './scope.ts';

/** A message in the form of exports. */
export const messageLine = (message: Message) => ({
  id: message.messageId,
  sender_id: message.senderId,
  sender_full_name: message.senderFullName,
  ...(message.kind === 'channel'
    ? { type: 'stream', stream_id: message.channelId, topic: message.topic }
    : { type: 'private', recipient_ids: message.recipients.map(({ id }) => id) }),
  timestamp: message.atSeconds,
  client: message.client,
  content: message.content,
  rendered_content: message.html,
  ...(message.editedAtSeconds !== undefined && { last_edit_timestamp: message.editedAtSeconds }),
  ...(message.kind === 'channel' &&
    message.movedAtSeconds !== undefined && { last_moved_timestamp: message.movedAtSeconds }),
  reactions: (message.reactions ?? []).map(({ userId, emojiName, emojiCode, reactionType }) => ({
    user_id: userId,
    emoji_name: emojiName,
    emoji_code: emojiCode,
    reaction_type: reactionType,
  })),
  submessages: toSubmessageRecords(message).map(({ message_id: _of, ...submessage }) => submessage),
});

export const channelLine = (channel: Channel, subscribers: number[]) => ({
  ...toChannelRecord(channel),
  subscribers,
});

/**
 * A user as every member sees them; full exports add the address if administrators may see it or the export
 * includes everything.
 */
export function userLine(user: User, type: ExportType, hasConsented: boolean) {
  const viewer = type === 'public' ? anyMember : { ...anyMember, role: roles.administrator };
  const record = toUserRecord(user, { viewer, clientGravatar: false, withProfileData: true });
  const isTold = type === 'full_without_consent' || (type === 'full_with_consent' && hasConsented);
  return isTold ? { ...record, delivery_email: user.email } : record;
}

/** A user's relation to a channel. */
export const subscriptionLine = (subscription: Subscription) => ({
  stream_id: subscription.channelId,
  is_subscribed: isSubscribed(subscription),
  color: subscription.color,
  is_muted: subscription.isMuted,
  pin_to_top: subscription.isPinned,
  desktop_notifications: subscription.desktopNotifications,
  audible_notifications: subscription.audibleNotifications,
  push_notifications: subscription.pushNotifications,
  email_notifications: subscription.emailNotifications,
  wildcard_mentions_notify: subscription.wildcardMentionsNotify,
});
