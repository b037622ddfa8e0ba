import {
  type Conversation,
  conversationOf,
  conversationOfMessage,
  keyOfNarrow,
  type Narrow,
  narrowOf,
} from '../narrow.ts';
import type { Message } from '../wire-messages.ts';

/** One message of a feed, with the headings above it. */
export interface Row {
  message: Message;
  /** A new local day begins, as `YYYY-MM-DD`. */
  day?: string;
  /** Another conversation begins than the one above. */
  conversation?: Conversation;
  /** Unread messages begin. */
  isFirstUnread: boolean;
  /** The number of unread messages from the first one on, if all are known. */
  unreadCount?: number;
  /** The sender is named: the message above is from another sender, conversation or day. */
  isFirstOfSender: boolean;
}

/** The local day of a message, by the browser's zone. */
export function dayOf(timestamp: number): string {
  const date = new Date(timestamp * 1000);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const conversationKey = (message: Message, ownId: number): string =>
  keyOfNarrow(narrowOf(conversationOfMessage(message, ownId)));

/** After this long without a message a sender is named again. */
const PAUSE_SECONDS = 10 * 60;

/** The rows of a feed. Bars with the conversation appear only if the narrow shows more than one. */
export function rowsOf(
  messages: readonly Message[],
  narrow: Narrow,
  firstUnreadId: number | undefined,
  ownId: number,
  unreadCount?: number,
): Row[] {
  const isMixed = conversationOf(narrow) === undefined;
  const days = messages.map(({ timestamp }) => dayOf(timestamp));
  const conversations = messages.map((message) => conversationKey(message, ownId));
  return messages.map((message, index) => {
    const above = messages[index - 1];
    const day = days[index];
    const isNewDay = above === undefined || days[index - 1] !== day;
    const isOther = above === undefined || conversations[index - 1] !== conversations[index];
    const isFirstUnread = message.id === firstUnreadId;
    const isFirstOfSender =
      isNewDay ||
      isFirstUnread ||
      isOther ||
      above.sender_id !== message.sender_id ||
      above.is_me_message ||
      message.timestamp - above.timestamp > PAUSE_SECONDS;
    return {
      message,
      isFirstUnread,
      isFirstOfSender,
      ...(isFirstUnread && unreadCount !== undefined && { unreadCount }),
      ...(isNewDay && { day }),
      ...(isMixed && (isOther || isNewDay) && { conversation: conversationOfMessage(message, ownId) }),
    };
  });
}

/** How many messages of others came after one. */
export const newBelow = (messages: readonly Message[], seenId: number, ownId: number): number =>
  messages.filter(({ id, sender_id }) => id > seenId && sender_id !== ownId).length;
