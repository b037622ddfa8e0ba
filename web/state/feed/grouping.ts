import { type Conversation, conversationOf, conversationOfMessage, type Narrow } from '../narrow.ts';
import type { Message } from '../wire-messages.ts';

/** One message of a feed, with what stands above it. */
export interface Row {
  message: Message;
  /** A new local day begins, as `YYYY-MM-DD`. */
  day?: string;
  /** Another conversation begins than the one above. */
  conversation?: Conversation;
  /** Unread messages begin. */
  isFirstUnread: boolean;
  /** The sender is named: the message above is from another sender, conversation or day. */
  isFirstOfSender: boolean;
}

/** Days of quarters of an hour: offsets of time zones are multiples of it. */
const days = new Map<number, string>();
const QUARTER_SECONDS = 900;
const MOST_DAYS = 10_000;

/** The local day of a message, by the browser's zone. */
export function dayOf(timestamp: number): string {
  const quarter = Math.floor(timestamp / QUARTER_SECONDS);
  const known = days.get(quarter);
  if (known !== undefined) return known;
  if (days.size >= MOST_DAYS) days.clear();
  const day = dayAt(timestamp);
  days.set(quarter, day);
  return day;
}

function dayAt(timestamp: number): string {
  const date = new Date(timestamp * 1000);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const isSameConversation = (a: Message, b: Message, ownId: number): boolean => {
  if (a.type !== b.type) return false;
  if (a.type === 'stream')
    return (
      a.stream_id === b.stream_id &&
      (a.subject === b.subject || a.subject.toLowerCase() === b.subject.toLowerCase())
    );
  const [one, other] = [conversationOfMessage(a, ownId), conversationOfMessage(b, ownId)];
  return (
    one.type === 'private' &&
    other.type === 'private' &&
    [...one.userIds].sort().join() === [...other.userIds].sort().join()
  );
};

/** After this long without a message a sender is named again. */
const PAUSE_SECONDS = 10 * 60;

/** The rows of a feed. Bars with the conversation stand only where the narrow shows more than one. */
export function rowsOf(
  messages: readonly Message[],
  narrow: Narrow,
  firstUnreadId: number | undefined,
  ownId: number,
): Row[] {
  const isMixed = conversationOf(narrow) === undefined;
  return messages.map((message, index) => {
    const above = messages[index - 1];
    const day = dayOf(message.timestamp);
    const isNewDay = above === undefined || dayOf(above.timestamp) !== day;
    const isOther = above === undefined || !isSameConversation(above, message, ownId);
    const isFirstUnread = message.id === firstUnreadId;
    const isFirstOfSender =
      isNewDay ||
      isFirstUnread ||
      (isMixed && isOther) ||
      above.sender_id !== message.sender_id ||
      above.is_me_message ||
      message.timestamp - above.timestamp > PAUSE_SECONDS;
    return {
      message,
      isFirstUnread,
      isFirstOfSender,
      ...(isNewDay && { day }),
      ...(isMixed && (isOther || isNewDay) && { conversation: conversationOfMessage(message, ownId) }),
    };
  });
}

/** How many messages of others came after one. */
export const newBelow = (messages: readonly Message[], seenId: number, ownId: number): number =>
  messages.filter(({ id, sender_id }) => id > seenId && sender_id !== ownId).length;
