import type { ScheduledMessage } from './scheduled-message.ts';

/** The record of the reference; its types are always the older words. */
export const toScheduledRecord = (scheduled: ScheduledMessage) => ({
  scheduled_message_id: scheduled.scheduledMessageId,
  ...(scheduled.target.kind === 'channel'
    ? { type: 'stream' as const, to: scheduled.target.channelId, topic: scheduled.target.topic }
    : { type: 'private' as const, to: scheduled.target.userIds }),
  content: scheduled.content,
  rendered_content: scheduled.html,
  scheduled_delivery_timestamp: scheduled.deliverAtSeconds,
  failed: scheduled.isFailed,
});
