import { senderAvatarUrl } from '#shared/domain/users/avatar.ts';
import { toSubmessageRecords } from '#shared/domain/widgets/widget.ts';
import { conversationKey } from './conversation.ts';
import type { HistoryEntry, Message } from './message.ts';
import { EMPTY_TOPIC_DISPLAY_NAME, showTopic } from './topic.ts';

export interface MessageStyle {
  applyMarkdown: boolean;
  clientGravatar: boolean;
  /** The client supports empty topics; others see a display name. */
  allowsEmptyTopic: boolean;
}

/** The message object of the protocol, as in events and message endpoints; flags are separate. */
export function toMessageRecord(message: Message, style: MessageStyle) {
  return {
    id: message.messageId,
    ...toAddress(message, style),
    sender_id: message.senderId,
    sender_email: message.senderEmail,
    sender_full_name: message.senderFullName,
    sender_realm_str: '',
    avatar_url: senderAvatarUrl(message, style.clientGravatar),
    client: message.client,
    content: style.applyMarkdown ? message.html : message.content,
    content_type: style.applyMarkdown ? 'text/html' : 'text/x-markdown',
    timestamp: message.atSeconds,
    is_me_message: isMeMessage(message.content),
    reactions: (message.reactions ?? []).map(({ userId, emojiName, emojiCode, reactionType }) => ({
      emoji_name: emojiName,
      emoji_code: emojiCode,
      reaction_type: reactionType,
      user_id: userId,
    })),
    submessages: toSubmessageRecords(message),
    topic_links: (message.kind === 'channel' && message.topicLinks) || [],
    ...toChanges(message, style),
  };
}

function toChanges(message: Message, style: MessageStyle) {
  const { editedAtSeconds, history = [] } = message;
  const movedAtSeconds = message.kind === 'channel' ? message.movedAtSeconds : undefined;
  return {
    ...(editedAtSeconds !== undefined && { last_edit_timestamp: editedAtSeconds }),
    ...(movedAtSeconds !== undefined && { last_moved_timestamp: movedAtSeconds }),
    ...(history.length > 0 && { edit_history: history.map((entry) => toHistoryRecord(entry, style)) }),
  };
}

const toHistoryRecord = (
  { userId, atSeconds, content, topic, channel }: HistoryEntry,
  { allowsEmptyTopic }: MessageStyle,
) => ({
  user_id: userId,
  timestamp: atSeconds,
  ...(content && { prev_content: content.before, prev_rendered_content: content.htmlBefore }),
  ...(topic && {
    prev_topic: showTopic(topic.before, allowsEmptyTopic),
    topic: showTopic(topic.after, allowsEmptyTopic),
  }),
  ...(channel && { prev_stream: channel.before, stream: channel.after }),
});

function toAddress(message: Message, style: MessageStyle) {
  if (message.kind === 'direct')
    return {
      type: 'private',
      subject: '',
      display_recipient: message.recipients.map(({ id, email, fullName }) => ({
        id,
        email,
        full_name: fullName,
        is_mirror_dummy: false,
      })),
      recipient_id: directRecipientId(message.recipients.map(({ id }) => id)),
    };
  return {
    type: 'stream',
    stream_id: message.channelId,
    display_recipient: message.channelName,
    subject: message.topic === '' && !style.allowsEmptyTopic ? EMPTY_TOPIC_DISPLAY_NAME : message.topic,
    recipient_id: message.channelId,
  };
}

/** Whether the text is a `/me` message. */
export const isMeMessage = (content: string): boolean =>
  content.startsWith('/me ') && !content.includes('\n');

const FIRST_DIRECT_RECIPIENT = 2 ** 30;

/** The same number for all messages of one direct conversation. */
function directRecipientId(userIds: number[]): number {
  let hash = 0x811c9dc5;
  for (const character of conversationKey(userIds)) {
    hash ^= character.charCodeAt(0);
    hash = Math.imul(hash, 0x01000193) >>> 0;
  }
  return FIRST_DIRECT_RECIPIENT + (hash % FIRST_DIRECT_RECIPIENT);
}
