import { newActivity } from '#shared/domain/channels/activity.ts';
import { channelAudience, ofArchived } from '#shared/domain/channels/audience.ts';
import { type Channel, unmoved } from '#shared/domain/channels/channel.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findChannel } from '#shared/store/channels/channels.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Write } from '#shared/table/table.ts';
import { Conflict, commit, commitSilently } from './commit.ts';

/** Updates the channel's data about its messages, at its first message and then at most once a day. */
export async function recordActivity(services: Services, channel: Channel, message: Message): Promise<void> {
  const { messageId, atSeconds } = message;
  const activity = newActivity(channel, message);
  if (!activity) return;
  const { isFirst, isNewDay } = activity;
  const wakes = isNewDay && channel.isRecentlyActive === false;
  const update: Write = {
    kind: 'update',
    key: channelKeys.channel(channel.channelId),
    set: {
      ...(isFirst && { firstMessageId: messageId }),
      ...(isNewDay && { lastActiveAtSeconds: atSeconds, isRecentlyActive: true }),
    },
    condition: { exists: true, equals: { firstMessageId: channel.firstMessageId }, ...unmoved(channel) },
  };
  const events = [
    ...(isFirst ? [updateEvent(channel, 'first_message_id', messageId)] : []),
    ...(wakes ? [updateEvent(channel, 'is_recently_active', true)] : []),
  ];
  try {
    if (events.length > 0) await commit(services, { writes: [update], events });
    else await commitSilently(services, [update]);
  } catch (failure) {
    if (!(failure instanceof Conflict)) throw failure;
    const current = await findChannel(services.table, channel.channelId);
    if (current) await recordActivity(services, current, message);
  }
}

/** For users who do not get the message itself. */
const updateEvent = (channel: Channel, property: string, value: unknown): LogEvent => ({
  audience: channelAudience(channel),
  ...ofArchived(channel),
  payload: {
    type: 'stream',
    op: 'update',
    stream_id: channel.channelId,
    name: channel.name,
    property,
    value,
  },
});
