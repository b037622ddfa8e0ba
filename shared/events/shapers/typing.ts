import { showTopic } from '#shared/domain/messages/topic.ts';
import { dummyEmailOf } from '#shared/domain/users/user.ts';
import { isSeen, type VisibleUsers } from '#shared/domain/users/visible-users.ts';
import type { EventPayload, LogEvent } from '../catalogue.ts';
import type { Person } from '../event-fields.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaper } from '../shaping.ts';

/** Whether the events are typing notifications, which depend on the recipient's settings. */
export const tellOfTyping = (events: LogEvent[]): boolean =>
  events.some(({ payload }) => payload.type === 'typing' || payload.type === 'typing_edit_message');

/** The typing user and the recipients of an event. */
export function typingPeople(payload: EventPayload): number[] {
  if (payload.type === 'typing_edit_message') return [payload.sender_id];
  if (payload.type !== 'typing') return [];
  const recipients = payload.message_type === 'direct' ? payload.recipients : [];
  return [payload.sender, ...recipients].map(({ user_id }) => user_id);
}

/**
 * Nothing for users who have turned typing notifications off, and none of hidden users; in channels only for
 * clients that support them.
 */
export const shapeTyping: Shaper<'typing'> = (payload, { filter, settings, visibleUsers }) => {
  if (!settings?.receives_typing_notifications) return [];
  if (!isSeen(visibleUsers, payload.sender.user_id)) return [];
  if (payload.message_type !== 'stream') {
    const recipients = payload.recipients.map((person) => withSeenAddress(person, visibleUsers));
    return [{ ...payload, recipients }];
  }
  if (!hasCapability(filter, 'stream_typing_notifications')) return [];
  const topic = showTopic(payload.topic, hasCapability(filter, 'empty_topic_name'));
  return [{ ...payload, topic }];
};

const withSeenAddress = (person: Person, visibleUsers: VisibleUsers | undefined): Person =>
  visibleUsers && !isSeen(visibleUsers, person.user_id)
    ? { ...person, email: dummyEmailOf(person.user_id, visibleUsers.domain) }
    : person;

export const shapeEditTyping: Shaper<'typing_edit_message'> = (
  payload,
  { filter, settings, visibleUsers },
) => {
  if (!settings?.receives_typing_notifications) return [];
  if (!isSeen(visibleUsers, payload.sender_id)) return [];
  const { recipient } = payload;
  if (recipient.type !== 'channel') return [payload];
  if (!hasCapability(filter, 'stream_typing_notifications')) return [];
  const topic = showTopic(recipient.topic, hasCapability(filter, 'empty_topic_name'));
  return [{ ...payload, recipient: { ...recipient, topic } }];
};
