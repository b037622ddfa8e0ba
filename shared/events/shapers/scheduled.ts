import { EMPTY_TOPIC_DISPLAY_NAME } from '#shared/domain/messages/topic.ts';
import type { ScheduledRecord } from '../event-fields.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaper } from '../shaping.ts';

/** Clients without support for empty topics see the display name in scheduled messages too. */
export const shapeScheduled: Shaper<'scheduled_messages'> = (payload, { filter }) => {
  if (hasCapability(filter, 'empty_topic_name')) return [payload];
  const show = (scheduled: ScheduledRecord): ScheduledRecord =>
    scheduled.type === 'stream' && scheduled.topic === ''
      ? { ...scheduled, topic: EMPTY_TOPIC_DISPLAY_NAME }
      : scheduled;
  switch (payload.op) {
    case 'add':
      return [{ ...payload, scheduled_messages: payload.scheduled_messages.map(show) }];
    case 'update':
      return [{ ...payload, scheduled_message: show(payload.scheduled_message) }];
    case 'remove':
      return [payload];
  }
};
