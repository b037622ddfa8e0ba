import { showTopic } from '#shared/domain/messages/topic.ts';
import type { LogEvent } from '../catalogue.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaper } from '../shaping.ts';

/** Whether events are about somebody who is typing: then the settings of those who get them decide. */
export const tellOfTyping = (events: LogEvent[]): boolean =>
  events.some(({ payload }) => payload.type === 'typing' || payload.type === 'typing_edit_message');

/** Nothing for those who do not want to see it; of channels only for clients that can show it. */
export const shapeTyping: Shaper = (payload, { filter, settings }) => {
  if (!settings?.receives_typing_notifications) return [];
  if (payload.message_type !== 'stream') return [payload];
  if (!hasCapability(filter, 'stream_typing_notifications')) return [];
  const topic = showTopic(payload.topic as string, hasCapability(filter, 'empty_topic_name'));
  return [{ ...payload, topic }];
};

export const shapeEditTyping: Shaper = (payload, { filter, settings }) => {
  if (!settings?.receives_typing_notifications) return [];
  const recipient = payload.recipient as { type: string; topic?: string };
  if (recipient.type !== 'channel') return [payload];
  if (!hasCapability(filter, 'stream_typing_notifications')) return [];
  const topic = showTopic(recipient.topic ?? '', hasCapability(filter, 'empty_topic_name'));
  return [{ ...payload, recipient: { ...recipient, topic } }];
};
