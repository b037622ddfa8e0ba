/** Where a scheduled message goes; people without the sender, and the sender alone for notes to oneself. */
export type ScheduledTarget =
  | { kind: 'channel'; channelId: number; topic: string }
  | { kind: 'direct'; userIds: number[] };

export interface ScheduledMessage {
  scheduledMessageId: number;
  userId: number;
  target: ScheduledTarget;
  content: string;
  html: string;
  /** The program that scheduled it. */
  client: string;
  deliverAtSeconds: number;
  isReadBySender: boolean;
  /** It could not be delivered; it stays until its sender changes or deletes it. */
  isFailed: boolean;
  /** Grows with every change, so that a delivery under way notices one. */
  revision: number;
}

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
