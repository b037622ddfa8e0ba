import { NotFound } from '#shared/domain/errors.ts';
import {
  isReminder,
  type Reminder,
  type ScheduledMessage,
} from '#shared/domain/scheduled-messages/scheduled-message.ts';
import { draftKeys, draftPartitions } from '#shared/table/keys/drafts.ts';
import { jobPartitions } from '#shared/table/keys/jobs.ts';
import { type Item, recordOf, type Table } from '#shared/table/table.ts';

export async function findScheduledMessage(
  table: Table,
  userId: number,
  id: number,
): Promise<ScheduledMessage | undefined> {
  const item = await table.find(draftKeys.scheduledMessage(userId, id));
  return item && toScheduled(item);
}

/** @throws NotFound also for another user's message */
export async function getScheduledMessage(
  table: Table,
  userId: number,
  id: number,
): Promise<ScheduledMessage> {
  const scheduled = await findScheduledMessage(table, userId, id);
  if (!scheduled || isReminder(scheduled)) throw new NotFound('Scheduled message does not exist');
  return scheduled;
}

/** @throws NotFound also for another user's message */
export async function getReminder(table: Table, userId: number, id: number): Promise<Reminder> {
  const reminder = await findScheduledMessage(table, userId, id);
  if (!reminder || !isReminder(reminder)) throw new NotFound('Reminder does not exist');
  return reminder;
}

/** The user's scheduled messages and reminders by delivery time. One query for both. */
export async function listScheduledOf(
  table: Table,
  userId: number,
): Promise<{ messages: ScheduledMessage[]; reminders: Reminder[] }> {
  const items = await table.list({ partition: draftPartitions.scheduledOf(userId), consistent: true });
  const all = items.map(toScheduled).sort((a, b) => a.deliverAtSeconds - b.deliverAtSeconds);
  return { messages: all.filter((message) => !isReminder(message)), reminders: all.filter(isReminder) };
}

export interface Pending {
  userId: number;
  scheduledMessageId: number;
  deliverAtSeconds: number;
}

/** A feed that is due. */
export interface DueFeed {
  channelId: number;
  feedId: number;
}

/** All pending scheduled messages, earliest first; only those due by a time if one is given. */
export const listPendingScheduled = async (table: Table, dueBySeconds?: number): Promise<Pending[]> =>
  (await listDue(table, dueBySeconds)).scheduled;

/** The pending scheduled messages and feeds, earliest first; only those due by a time if one is given. One query for both. */
export async function listDue(
  table: Table,
  dueBySeconds?: number,
): Promise<{ scheduled: Pending[]; feeds: DueFeed[] }> {
  const items = await table.list({
    index: 'byDueTime',
    partition: jobPartitions.due(),
    ...(dueBySeconds !== undefined && { to: dueBySeconds }),
  });
  return {
    scheduled: items.filter(({ feedId }) => feedId === undefined).map(toPending),
    feeds: items
      .filter(({ feedId }) => feedId !== undefined)
      .map(({ channelId, feedId }) => ({ channelId: Number(channelId), feedId: Number(feedId) })),
  };
}

const toPending = ({ userId, scheduledMessageId, deliverAtSeconds }: Item): Pending => ({
  userId: Number(userId),
  scheduledMessageId: Number(scheduledMessageId),
  deliverAtSeconds: Number(deliverAtSeconds),
});

function toScheduled(item: Item): ScheduledMessage {
  const { pk: _pk, sk: _sk, due: _due, dueAtSeconds: _dueAtSeconds, ...scheduled } = item;
  return recordOf<ScheduledMessage>(scheduled);
}
