import { EMPTY_TOPIC_DISPLAY_NAME } from '#shared/domain/messages/topic.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaper } from '../shaping.ts';

/** Clients without support for empty topics see the display name in scheduled messages too. */
export const shapeScheduled: Shaper = (payload, { filter }) => {
  if (hasCapability(filter, 'empty_topic_name')) return [payload];
  const show = (record: unknown): unknown => {
    const scheduled = record as { topic?: string };
    return scheduled.topic === '' ? { ...scheduled, topic: EMPTY_TOPIC_DISPLAY_NAME } : scheduled;
  };
  if (Array.isArray(payload.scheduled_messages))
    return [{ ...payload, scheduled_messages: payload.scheduled_messages.map(show) }];
  return [
    payload.scheduled_message ? { ...payload, scheduled_message: show(payload.scheduled_message) } : payload,
  ];
};
