import { showTopic } from '#shared/domain/messages/topic.ts';
import { dummyEmailOf } from '#shared/domain/users/address.ts';
import { isSeen, type VisibleUsers } from '#shared/domain/users/visible-users.ts';
import type { EventPayload, LogEvent } from '../catalogue.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaper } from '../shaping.ts';

/** Whether the events are typing notifications, which depend on the recipient's settings. */
export const tellOfTyping = (events: LogEvent[]): boolean =>
  events.some(({ payload }) => payload.type === 'typing' || payload.type === 'typing_edit_message');

interface Person {
  user_id: number;
  email: string;
}

/** The typing user and the recipients of an event. */
export function typingPeople({ type, sender, sender_id, recipients = [] }: EventPayload): number[] {
  if (type === 'typing_edit_message') return [sender_id as number];
  if (type !== 'typing') return [];
  return [sender as Person, ...(recipients as Person[])].map(({ user_id }) => user_id);
}

/**
 * Nothing for users who have turned typing notifications off, and none of hidden users; in channels only for
 * clients that support them.
 */
export const shapeTyping: Shaper = (payload, { filter, settings, visibleUsers }) => {
  if (!settings?.receives_typing_notifications) return [];
  if (!isSeen(visibleUsers, (payload.sender as Person).user_id)) return [];
  if (payload.message_type !== 'stream') {
    const recipients = (payload.recipients as Person[]).map((person) =>
      withSeenAddress(person, visibleUsers),
    );
    return [{ ...payload, recipients }];
  }
  if (!hasCapability(filter, 'stream_typing_notifications')) return [];
  const topic = showTopic(payload.topic as string, hasCapability(filter, 'empty_topic_name'));
  return [{ ...payload, topic }];
};

const withSeenAddress = (person: Person, visibleUsers: VisibleUsers | undefined): Person =>
  visibleUsers && !isSeen(visibleUsers, person.user_id)
    ? { ...person, email: dummyEmailOf(person.user_id, visibleUsers.domain) }
    : person;

export const shapeEditTyping: Shaper = (payload, { filter, settings, visibleUsers }) => {
  if (!settings?.receives_typing_notifications) return [];
  if (!isSeen(visibleUsers, payload.sender_id as number)) return [];
  const recipient = payload.recipient as { type: string; topic?: string };
  if (recipient.type !== 'channel') return [payload];
  if (!hasCapability(filter, 'stream_typing_notifications')) return [];
  const topic = showTopic(recipient.topic ?? '', hasCapability(filter, 'empty_topic_name'));
  return [{ ...payload, recipient: { ...recipient, topic } }];
};
