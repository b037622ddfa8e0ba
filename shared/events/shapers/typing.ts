import { showTopic } from '#shared/domain/messages/topic.ts';
import { dummyEmailOf } from '#shared/domain/users/address.ts';
import { isSeen, type Sight } from '#shared/domain/users/sight.ts';
import type { EventPayload, LogEvent } from '../catalogue.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaper } from '../shaping.ts';

/** Whether events are about somebody who is typing: then the settings of those who get them decide. */
export const tellOfTyping = (events: LogEvent[]): boolean =>
  events.some(({ payload }) => payload.type === 'typing' || payload.type === 'typing_edit_message');

interface Person {
  user_id: number;
  email: string;
}

/** Those of whom an event says who is typing and for whom. */
export function typingPeople({ type, sender, sender_id, recipients = [] }: EventPayload): number[] {
  if (type === 'typing_edit_message') return [sender_id as number];
  if (type !== 'typing') return [];
  return [sender as Person, ...(recipients as Person[])].map(({ user_id }) => user_id);
}

/**
 * Nothing for those who do not want to see it, nor of people whom they do not see; of channels only for clients that can
 * show it.
 */
export const shapeTyping: Shaper = (payload, { filter, settings, sight }) => {
  if (!settings?.receives_typing_notifications) return [];
  if (!isSeen(sight, (payload.sender as Person).user_id)) return [];
  if (payload.message_type !== 'stream') {
    const recipients = (payload.recipients as Person[]).map((person) => withSeenAddress(person, sight));
    return [{ ...payload, recipients }];
  }
  if (!hasCapability(filter, 'stream_typing_notifications')) return [];
  const topic = showTopic(payload.topic as string, hasCapability(filter, 'empty_topic_name'));
  return [{ ...payload, topic }];
};

const withSeenAddress = (person: Person, sight: Sight | undefined): Person =>
  sight && !isSeen(sight, person.user_id)
    ? { ...person, email: dummyEmailOf(person.user_id, sight.domain) }
    : person;

export const shapeEditTyping: Shaper = (payload, { filter, settings, sight }) => {
  if (!settings?.receives_typing_notifications) return [];
  if (!isSeen(sight, payload.sender_id as number)) return [];
  const recipient = payload.recipient as { type: string; topic?: string };
  if (recipient.type !== 'channel') return [payload];
  if (!hasCapability(filter, 'stream_typing_notifications')) return [];
  const topic = showTopic(recipient.topic ?? '', hasCapability(filter, 'empty_topic_name'));
  return [{ ...payload, recipient: { ...recipient, topic } }];
};
