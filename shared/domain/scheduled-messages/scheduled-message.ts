/**
 * The destination of a scheduled message: people without the sender; only the sender for notes to oneself.
 */
export type ScheduledTarget =
  | { kind: 'channel'; channelId: number; topic: string }
  | { kind: 'direct'; userIds: number[] };

export interface ScheduledMessage {
  scheduledMessageId: number;
  userId: number;
  target: ScheduledTarget;
  content: string;
  html: string;
  /** The name of the program that scheduled it. */
  client: string;
  deliverAtSeconds: number;
  isReadBySender: boolean;
  /** Delivery failed; it stays until its sender changes or deletes it. */
  isFailed: boolean;
  /** For reminders: the message it is about. The notification bot sends it to the user who asked for it. */
  reminderOf?: number;
  /** For reminders: the words of its owner. Absent in reminders of earlier versions, whose content has them. */
  note?: string;
  /** Increases with every change, so that a delivery under way notices. */
  revision: number;
}

/** The record of the reference; its types always use the older names. */
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

/** A reminder as clients see it: always a direct message to oneself. */
export const toReminderRecord = (reminder: Reminder) => ({
  reminder_id: reminder.scheduledMessageId,
  type: 'private' as const,
  to: [reminder.userId],
  content: reminder.content,
  rendered_content: reminder.html,
  scheduled_delivery_timestamp: reminder.deliverAtSeconds,
  failed: reminder.isFailed,
  reminder_target_message_id: reminder.reminderOf,
});

export type Reminder = ScheduledMessage & { reminderOf: number };

export const isReminder = (scheduled: ScheduledMessage): scheduled is Reminder =>
  scheduled.reminderOf !== undefined;
