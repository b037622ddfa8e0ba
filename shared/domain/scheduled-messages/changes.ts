import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { ONE_STEP } from '#shared/domain/jobs.ts';
import {
  type Address,
  checkRecipientCount,
  type Destination,
  isChannelType,
  type MessageType,
} from '#shared/domain/messages/destination.ts';
import { checkTopic } from '#shared/domain/messages/topic.ts';
import { giveRoomWrite, type Room, takeRoomWrite } from '#shared/domain/room.ts';
import type { EventPayload, LogEvent } from '#shared/events/catalogue.ts';
import { draftKeys } from '#shared/table/keys/drafts.ts';
import { jobPartitions } from '#shared/table/keys/jobs.ts';
import type { Condition, Write } from '#shared/table/table.ts';
import {
  isReminder,
  type ScheduledMessage,
  type ScheduledTarget,
  toReminderRecord,
  toScheduledRecord,
} from './scheduled-message.ts';

/** @throws BadRequest for a time in the past */
export function requireFuture(deliverAtSeconds: number, nowMs: number): void {
  if (deliverAtSeconds * 1000 <= nowMs)
    throw new BadRequest('Scheduled delivery time must be in the future.');
}

/** Reads `to` and `topic`; channels and people are given by id only. */
export function readScheduledAddress(
  type: MessageType,
  to: number | number[],
  topic: string | undefined,
): Address {
  const ids = typeof to === 'number' ? [to] : to;
  if (!isChannelType(type)) {
    checkRecipientCount(ids);
    return { kind: 'direct', users: ids };
  }
  const [channel] = ids;
  if (channel === undefined || ids.length > 1) throw new BadRequest('Expected exactly one channel');
  if (topic === undefined) throw new BadRequest('Missing topic');
  return { kind: 'channel', channel, topic: checkTopic(topic) };
}

export const toAddress = (target: ScheduledTarget): Address =>
  target.kind === 'channel'
    ? { kind: 'channel', channel: target.channelId, topic: target.topic }
    : { kind: 'direct', users: target.userIds };

export const toTarget = (destination: Destination): ScheduledTarget =>
  destination.kind === 'channel'
    ? { kind: 'channel', channelId: destination.channel.channelId, topic: destination.topic }
    : { kind: 'direct', userIds: destination.users.map(({ userId }) => userId).sort((a, b) => a - b) };

/** Reads the changed parts of an address; absent parts stay. */
export function readChangedAddress(
  target: ScheduledTarget,
  input: { type: MessageType | undefined; to: number | number[] | undefined; topic: string | undefined },
): Address {
  const { type, to, topic } = input;
  if (type !== undefined && to === undefined)
    throw new BadRequest('Recipient required when updating type of scheduled message.');
  const isChannel = type === undefined ? target.kind === 'channel' : isChannelType(type);
  const oldTopic = target.kind === 'channel' ? target.topic : undefined;
  if (isChannel && topic === undefined && oldTopic === undefined)
    throw new BadRequest('Topic required when updating scheduled message type to channel.');
  const oldTo = target.kind === 'channel' ? target.channelId : target.userIds;
  return readScheduledAddress(isChannel ? 'channel' : 'direct', to ?? oldTo, topic ?? oldTopic);
}

const toOwner = ({ userId }: ScheduledMessage, payload: EventPayload): LogEvent => ({
  audience: { kind: 'users', userIds: [userId] },
  payload,
});

const itemKey = ({ userId, scheduledMessageId }: ScheduledMessage) =>
  draftKeys.scheduledMessage(userId, scheduledMessageId);

const unchanged = ({ revision }: ScheduledMessage): Condition => ({ equals: { revision } });

const storeWrite = (scheduled: ScheduledMessage, condition: Condition): Write => ({
  kind: 'put',
  item: {
    ...itemKey(scheduled),
    ...scheduled,
    ...(!scheduled.isFailed && { due: jobPartitions.due(), dueAtSeconds: scheduled.deliverAtSeconds }),
  },
  condition,
});

const addition = (scheduled: ScheduledMessage): EventPayload =>
  isReminder(scheduled)
    ? { type: 'reminders', op: 'add', reminders: [toReminderRecord(scheduled)] }
    : { type: 'scheduled_messages', op: 'add', scheduled_messages: [toScheduledRecord(scheduled)] };

const removal = (scheduled: ScheduledMessage): EventPayload =>
  isReminder(scheduled)
    ? { type: 'reminders', op: 'remove', reminder_id: scheduled.scheduledMessageId }
    : { type: 'scheduled_messages', op: 'remove', scheduled_message_id: scheduled.scheduledMessageId };

/** @throws BadRequest for more than an account may have */
export const scheduleChange = (scheduled: ScheduledMessage, room: Room, limit: number): Change => ({
  writes: [
    storeWrite(scheduled, { exists: false }),
    takeRoomWrite(
      room,
      limit,
      `Too many scheduled messages and reminders: an account may have ${limit} at once.`,
    ),
  ],
  events: [toOwner(scheduled, addition(scheduled))],
});

export function rescheduleChange(previous: ScheduledMessage, next: ScheduledMessage): Change {
  const record = toScheduledRecord(next);
  const payload: EventPayload = { type: 'scheduled_messages', op: 'update', scheduled_message: record };
  return { writes: [storeWrite(next, unchanged(previous))], events: [toOwner(next, payload)] };
}

/** Removes a scheduled message: deleted by its sender, or sent in the same change. */
export const removalChange = (scheduled: ScheduledMessage, room: Room): Change & { events: LogEvent[] } => ({
  writes: [{ kind: 'delete', key: itemKey(scheduled), condition: unchanged(scheduled) }, giveRoomWrite(room)],
  events: [toOwner(scheduled, removal(scheduled))],
});

/** The reminder of a deactivated user stays until they are reactivated. No event is needed. */
export const failedReminderWrite = (reminder: ScheduledMessage): Write =>
  storeWrite({ ...reminder, isFailed: true, revision: reminder.revision + 1 }, unchanged(reminder));

/** Keeps it, marked as failed, and sends its sender the reason. */
export function failureChange(scheduled: ScheduledMessage, reason: string): Change {
  const failed = { ...scheduled, isFailed: true, revision: scheduled.revision + 1 };
  const payload = { userId: scheduled.userId, scheduledMessageId: scheduled.scheduledMessageId, reason };
  return {
    ...rescheduleChange(scheduled, failed),
    jobs: [{ type: 'notify-scheduling-failure', payload, steps: ONE_STEP }],
  };
}
