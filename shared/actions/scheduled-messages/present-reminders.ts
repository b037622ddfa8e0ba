import type { Reminder, toReminderRecord } from '#shared/domain/scheduled-messages/scheduled-message.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listScheduledOf } from '#shared/store/scheduled-messages.ts';
import { withPresentContents } from './reminder-contents.ts';

export type ReminderRecord = ReturnType<typeof toReminderRecord>;

/** An account may have a thousand reminders, each of a message of 10 KB: a snapshot reads the messages of these. */
const MAX_READ = 50;

/**
 * The reminders of a snapshot with the messages as their owner may read them now, like the list of reminders. Those after
 * the 50 that are due first come without their texts, which may have become hidden.
 */
export async function withPresentTexts(
  services: Services,
  user: User,
  records: ReminderRecord[],
): Promise<ReminderRecord[]> {
  const { reminders } = await listScheduledOf(services.table, user.userId);
  const read = await withPresentContents(services, user, reminders.slice(0, MAX_READ));
  const present = new Map(read.map((reminder: Reminder) => [reminder.scheduledMessageId, reminder]));
  return records.map((record) => {
    const reminder = present.get(record.reminder_id);
    return { ...record, content: reminder?.content ?? '', rendered_content: reminder?.html ?? '' };
  });
}
