import type { Channel } from '#shared/domain/channels/channel.ts';
import { channelsOf } from '#shared/domain/messages/access.ts';
import type { Message, StoredMessage } from '#shared/domain/messages/message.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import type { MessageUpdate } from '#shared/events/message-update.ts';
import type { ChannelThen, Reach } from '#shared/events/stored-fields.ts';

/** The message as its log entry stores it, without data loaded separately. */
export function bare({
  messageId: _id,
  reactionsIn: _in,
  reactions: _r,
  submessagesIn: _subIn,
  submessages: _sub,
  revision: _rev,
  history: _h,
  ...stored
}: Message) {
  return stored as StoredMessage;
}

export const channelThen = ({
  channelId,
  isPrivate,
  isWebPublic,
  isHistoryPublic,
}: Channel): ChannelThen => ({
  channelId,
  isPrivate,
  isWebPublic,
  isHistoryPublic,
});

/** The common parts of all message changes. */
export interface UpdateParts {
  /** Null for a change of the rendering alone. */
  userId: number | null;
  atSeconds: number;
  /** The current channel of the messages; absent for direct messages. */
  channel?: Channel | undefined;
  /** The channel that they move to, if it is another one. */
  to?: Channel | undefined;
}

/** The event for a change of messages in one place. */
export function updateEvent(
  messages: Message[],
  { userId, atSeconds, channel, to }: UpdateParts,
  what: Partial<MessageUpdate>,
): LogEvent {
  const ids = messages.map(({ messageId }) => messageId);
  const [first] = messages;
  const payload: MessageUpdate = {
    type: 'update_message',
    user_id: userId,
    rendering_only: false,
    message_id: ids[0] ?? 0,
    message_ids: ids,
    edit_timestamp: atSeconds,
    ...(channel && { stream_id: channel.channelId, stream_name: channel.name }),
    ...what,
  };
  if (first?.kind === 'direct')
    return { audience: { kind: 'users', userIds: first.recipients.map(({ id }) => id) }, payload };
  const channelIds = new Set(messages.flatMap(channelsOf));
  if (to) channelIds.add(to.channelId);
  return {
    audience: { kind: 'holders', channelIds: [...channelIds] },
    ...(channel?.isArchived && { isOfArchived: true as const }),
    payload: { ...payload, ...(channel && { reach: reachOf(messages, channel, to) }) },
  };
}

function reachOf(messages: Message[], channel: Channel, to: Channel | undefined): Reach {
  const journeys = messages.flatMap((message) =>
    message.kind === 'channel' && message.journey ? [[message.messageId, message.journey] as const] : [],
  );
  return {
    from: channelThen(channel),
    ...(to && { to: channelThen(to) }),
    ...(journeys.length > 0 && { journeys: Object.fromEntries(journeys) }),
  };
}
