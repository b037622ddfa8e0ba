import { channelAudience, ofArchived } from '#shared/domain/channels/audience.ts';
import { type Channel, unmoved } from '#shared/domain/channels/channel.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { OrganizationSettings } from '#shared/domain/organization/settings.ts';
import type { EventPayload, LogEvent } from '#shared/events/catalogue.ts';
import type { ChannelDeletion } from '#shared/events/stored-fields.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Write } from '#shared/table/table.ts';
import { conversationKey } from './conversation.ts';
import type { ChannelMessage, DirectMessage } from './message.ts';
import { arrivalOf } from './moving/move-history.ts';

const DAY_SECONDS = 24 * 3600;

/**
 * The time before which messages of a channel expire (direct messages without a channel); undefined keeps
 * them.
 */
export function expiryOf(
  channel: Pick<Channel, 'messageRetentionDays'> | undefined,
  settings: OrganizationSettings,
  nowSeconds: number,
): number | undefined {
  const days = channel?.messageRetentionDays ?? settings.message_retention_days;
  return days > 0 ? nowSeconds - days * DAY_SECONDS : undefined;
}

export type OldChannelMessage = ChannelMessage & { messageId: number };
export type OldDirectMessage = DirectMessage & { messageId: number };

/** The events about deleted messages of a channel, one per topic. */
export function channelDeletionEvents(channel: Channel, messages: OldChannelMessage[]): LogEvent[] {
  const byTopic = Map.groupBy(messages, ({ topic }) => toCanonical(topic));
  return [...byTopic.values()].map((group) => {
    const payload: EventPayload = {
      type: 'delete_message',
      message_type: 'stream',
      stream_id: channel.channelId,
      topic: group.at(-1)?.topic ?? '',
      message_ids: group.map(({ messageId }) => messageId),
      isHistoryPublic: channel.isHistoryPublic,
      isPublic: !channel.isPrivate,
      isWebPublic: channel.isWebPublic,
      ...arrivalsOf(group),
    };
    // Also for archived channels: otherwise clients that do not see them would keep unread counts.
    return { audience: channelAudience(channel), payload };
  });
}

/** The arrival positions of messages that came from other channels. */
function arrivalsOf(messages: OldChannelMessage[]): Pick<ChannelDeletion, 'arrivals'> {
  const moved = messages.filter(({ journey }) => journey);
  if (moved.length === 0) return {};
  return { arrivals: Object.fromEntries(moved.map((message) => [message.messageId, arrivalOf(message)])) };
}

/** The events about deleted direct messages, one per conversation. */
export function directDeletionEvents(messages: OldDirectMessage[]): LogEvent[] {
  const byConversation = Map.groupBy(messages, ({ recipients }) =>
    conversationKey(recipients.map(({ id }) => id)),
  );
  return [...byConversation.values()].map((group) => ({
    audience: { kind: 'users', userIds: group[0]?.recipients.map(({ id }) => id) ?? [] },
    payload: {
      type: 'delete_message',
      message_type: 'private',
      message_ids: group.map(({ messageId }) => messageId),
    },
  }));
}

/** The channel's first message has changed, or the channel has no message left. */
export function firstMessageChange(
  channel: Channel,
  next: number | null,
): { writes: Write[]; events: LogEvent[] } {
  const { channelId, name } = channel;
  return {
    writes: [
      {
        kind: 'update',
        key: channelKeys.channel(channelId),
        set: { firstMessageId: next },
        condition: { exists: true, equals: { firstMessageId: channel.firstMessageId }, ...unmoved(channel) },
      },
    ],
    events: [
      {
        audience: channelAudience(channel),
        ...ofArchived(channel),
        payload: {
          type: 'stream',
          op: 'update',
          stream_id: channelId,
          name,
          property: 'first_message_id',
          value: next,
        },
      },
    ],
  };
}
