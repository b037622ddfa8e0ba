import { NotFound } from '#shared/domain/errors.ts';
import type { ScheduledMessage } from '#shared/domain/scheduled/scheduled-message.ts';
import { keys, partitions } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';

export async function findScheduledMessage(
  table: Table,
  userId: number,
  id: number,
): Promise<ScheduledMessage | undefined> {
  const item = await table.find(keys.scheduledMessage(userId, id));
  return item && toScheduled(item);
}

/** @throws NotFound also for someone else's */
export async function getScheduledMessage(
  table: Table,
  userId: number,
  id: number,
): Promise<ScheduledMessage> {
  const scheduled = await findScheduledMessage(table, userId, id);
  if (!scheduled) throw new NotFound('Scheduled message does not exist');
  return scheduled;
}

/** What the user has scheduled, by delivery time. */
export async function listScheduledMessages(table: Table, userId: number): Promise<ScheduledMessage[]> {
  const items = await table.list({ partition: partitions.scheduledOf(userId), consistent: true });
  return items.map(toScheduled).sort((a, b) => a.deliverAtSeconds - b.deliverAtSeconds);
}

export interface Pending {
  userId: number;
  scheduledMessageId: number;
  deliverAtSeconds: number;
}

/** Everything that waits for its time, the earliest first; at most what is due by then when a time is given. */
export async function listPendingScheduled(table: Table, dueBySeconds?: number): Promise<Pending[]> {
  const items = await table.list({
    index: 'byDueTime',
    partition: partitions.dueScheduled(),
    ...(dueBySeconds !== undefined && { to: dueBySeconds }),
  });
  return items.map(({ userId, scheduledMessageId, deliverAtSeconds }) => ({
    userId: Number(userId),
    scheduledMessageId: Number(scheduledMessageId),
    deliverAtSeconds: Number(deliverAtSeconds),
  }));
}

function toScheduled(item: Item): ScheduledMessage {
  const { pk: _pk, sk: _sk, due: _due, dueAtSeconds: _dueAtSeconds, ...scheduled } = item;
  return scheduled as unknown as ScheduledMessage;
}
