import { EMPTY_TOPIC_DISPLAY_NAME } from '#shared/domain/messages/topic.ts';
import { toScheduledRecord } from '#shared/domain/scheduled/scheduled-message.ts';
import { hasCapability } from '#shared/events/queue-filter.ts';
import { listScheduledMessages } from '#shared/store/scheduled-messages.ts';
import type { Section } from './section.ts';

/** The caller's scheduled messages. */
export const scheduledSection: Section = async ({ services, request, wants }) => {
  if (!wants('scheduled_messages')) return {};
  const scheduled = await listScheduledMessages(services.table, request.caller.userId);
  const allowsEmptyTopic = hasCapability(request.filter, 'empty_topic_name');
  const records = scheduled
    .map(toScheduledRecord)
    .map((record) =>
      'topic' in record && record.topic === '' && !allowsEmptyTopic
        ? { ...record, topic: EMPTY_TOPIC_DISPLAY_NAME }
        : record,
    );
  return { scheduled_messages: records };
};
