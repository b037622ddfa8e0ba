import type { Change } from '#shared/domain/change.ts';
import { BadRequest, MissingArgument } from '#shared/domain/errors.ts';
import type { UserSettings } from '#shared/domain/settings/user-settings.ts';
import { displayEmailOf, type User } from '#shared/domain/users/user.ts';
import type { Audience, EventPayload } from '#shared/events/catalogue.ts';
import { type ChannelView, readersOf } from './access.ts';
import { type Address, checkRecipientCount, type Destination } from './destination.ts';
import type { Message } from './message.ts';
import { checkTopic } from './topic.ts';

export const typingOps = ['start', 'stop'] as const;
export type TypingOp = (typeof typingOps)[number];

/** Larger channels get no typing notifications. */
const MAX_SUBSCRIBERS = 100;

interface Given {
  type: 'direct' | 'channel' | 'stream';
  to: number[] | undefined;
  stream_id: number | undefined;
  topic: string | undefined;
}

/** The conversation in which the user is typing. @throws MissingArgument or BadRequest */
export function readTypingAddress({ type, to, stream_id: channel, topic }: Given): Address {
  if (type === 'direct') {
    if (to === undefined) throw new MissingArgument('to');
    if (to.length === 0) throw new BadRequest("Empty 'to' list");
    checkRecipientCount(to);
    return { kind: 'direct', users: to };
  }
  if (channel === undefined) throw new MissingArgument('stream_id');
  if (topic === undefined) throw new BadRequest('Missing topic');
  return { kind: 'channel', channel, topic: checkTopic(topic) };
}

/** @throws BadRequest when the user has turned typing notifications off */
export function requireShowsTyping(settings: UserSettings, kind: 'channel' | 'direct'): void {
  const isShown =
    kind === 'channel'
      ? settings.send_stream_typing_notifications
      : settings.send_private_typing_notifications;
  if (!isShown) throw new BadRequest(`User has disabled typing notifications for ${kind} messages`);
}

/** The event that the sender starts or stops typing a message; none in large channels. */
export function typingChange(sender: User, destination: Destination, op: TypingOp): Change | undefined {
  const who = toPerson(sender);
  if (destination.kind === 'direct') {
    const people = [...new Map([sender, ...destination.users].map((user) => [user.userId, user])).values()];
    const recipients = people.sort((a, b) => a.userId - b.userId).map(toPerson);
    const userIds = recipients.map(({ user_id }) => user_id);
    return toChange(
      { kind: 'users', userIds },
      { type: 'typing', op, message_type: 'direct', sender: who, recipients },
    );
  }
  const { channel, topic } = destination;
  if (channel.subscriberCount > MAX_SUBSCRIBERS) return undefined;
  const { channelId } = channel;
  return toChange(
    { kind: 'subscribers', channelId },
    { type: 'typing', op, message_type: 'stream', sender: who, stream_id: channelId, topic },
  );
}

/** The event that a user starts or stops editing a message, for users who have it. */
export function editTypingChange(
  user: User,
  message: Message,
  view: ChannelView | undefined,
  op: TypingOp,
): Change | undefined {
  if (view && view.channel.subscriberCount > MAX_SUBSCRIBERS) return undefined;
  const recipient =
    message.kind === 'channel'
      ? { type: 'channel' as const, channel_id: message.channelId, topic: message.topic }
      : { type: 'direct' as const, user_ids: message.recipients.map(({ id }) => id) };
  return toChange(readersOf(message, view), {
    type: 'typing_edit_message',
    op,
    sender_id: user.userId,
    message_id: message.messageId,
    recipient,
  });
}

const toChange = (audience: Audience, payload: EventPayload): Change => ({ events: [{ audience, payload }] });

const toPerson = (user: User) => ({ user_id: user.userId, email: displayEmailOf(user) });
