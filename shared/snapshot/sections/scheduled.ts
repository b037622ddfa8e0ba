import { EMPTY_TOPIC_DISPLAY_NAME } from '#shared/domain/messages/topic.ts';
import { toReminderRecord, toScheduledRecord } from '#shared/domain/scheduled-messages/scheduled-message.ts';
import { hasCapability } from '#shared/events/queue-filter.ts';
import { listScheduledOf } from '#shared/store/scheduled-messages.ts';
import type { Section } from './section.ts';

/** The caller's scheduled messages and reminders. */
export const scheduledSection: Section = async ({ services, request, wants }) => {
  if (!wants('scheduled_messages') && !wants('reminders')) return {};
  const { messages, reminders } = await listScheduledOf(services.table, request.caller.userId);
  const allowsEmptyTopic = hasCapability(request.filter, 'empty_topic_name');
  const records = messages
    .map(toScheduledRecord)
    .map((record) =>
      'topic' in record && record.topic === '' && !allowsEmptyTopic
        ? { ...record, topic: EMPTY_TOPIC_DISPLAY_NAME }
        : record,
    );
  return {
    ...(wants('scheduled_messages') && { scheduled_messages: records }),
    ...(wants('reminders') && { reminders: reminders.map(toReminderRecord) }),
  };
};
