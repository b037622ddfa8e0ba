import { hasReceived, isUnread } from '#shared/domain/messages/access.ts';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import type { Marks } from '#shared/domain/reading/marks.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import { wasJustRewritten } from '#shared/store/log/rewriting.ts';
import { listFacts, listFactsById } from '#shared/store/messages/message-facts.ts';
import { blockOf, firstOfBlock, lastOfBlock } from '#shared/table/keys/log.ts';
import type { Table } from '#shared/table/table.ts';
import { loadMarkBlocks, loadMarksBetween } from './read-state.ts';

/** The user whose messages are searched, with what decides which messages they received. */
export interface Receiver {
  user: User;
  subscriptions: Map<number, Subscription>;
}

/** The messages that a user may not have read. */
export interface Inbox {
  /** -1 when there is none. */
  newestMessageId: number;
  /** Unread messages, ascending. */
  unread: MessageFacts[];
  /** There may be older unread messages beyond the range that was read. */
  isUnreadPartial: boolean;
  /** The newest message of each direct conversation in the range. */
  conversations: Map<string, { userIds: number[]; maxMessageId: number }>;
}

/** The maximum range in which unread messages are searched. */
const MAX_POSITIONS = 50_000;

/**
 * Reads the messages above the read floor and up to a position, from block summaries where possible, and
 * older ones marked as unread. Callers that need conversations can include messages after `since`.
 */
export async function readInbox(
  { table, clock }: Pick<Services, 'table' | 'clock'>,
  receiver: Receiver,
  marks: Marks,
  upTo: number,
  since: number,
): Promise<Inbox> {
  const { user, subscriptions } = receiver;
  const floor = Math.max(marks.state.floor, upTo - MAX_POSITIONS);
  const consistent = await wasJustRewritten(table, clock);
  const start = Math.min(floor, Math.max(since, upTo - MAX_POSITIONS));
  const [facts] = await Promise.all([
    listFacts(table, start, upTo, { consistent }),
    loadMarksBetween(table, user.userId, marks, floor + 1, upTo),
    loadMarkBlocks(table, user.userId, marks, [...marks.state.unreadBlocks]),
  ]);
  const reopened = await listFactsById(
    table,
    marks.listMarkedUnread().filter((messageId) => messageId <= floor),
  );
  const unseen = facts.filter(({ messageId }) => messageId > floor);
  const received = facts.filter((message) => hasReceived(user, message, subscriptions));
  return {
    newestMessageId:
      received.at(-1)?.messageId ??
      (await findNewestMessageId(table, receiver, Math.min(start, upTo), { consistent })),
    unread: [...reopened, ...unseen].filter((message) => isUnread(user, message, subscriptions, marks)),
    isUnreadPartial: floor > marks.state.floor,
    conversations: newestByConversation(received),
  };
}

/** The highest possible floor: all messages up to it are read unless marked as unread. */
export function floorOf({ unread, isUnreadPartial }: Inbox, marks: Marks, upTo: number): number {
  const { floor } = marks.state;
  if (isUnreadPartial) return floor;
  const first = unread.find(({ messageId }) => messageId > floor && !marks.isMarkedUnread(messageId));
  return first ? first.messageId - 1 : Math.max(floor, upTo);
}

function newestByConversation(received: MessageFacts[]): Inbox['conversations'] {
  const conversations: Inbox['conversations'] = new Map();
  for (const message of received) {
    if (message.kind === 'channel') continue;
    const userIds = message.recipients.map(({ id }) => id);
    conversations.set(conversationKey(userIds), { userIds, maxMessageId: message.messageId });
  }
  return conversations;
}

/** The range in which the newest message is searched. */
const MAX_BLOCKS = 50;

/** The id of the newest message that the user received up to a position, or -1. */
export async function findNewestMessageId(
  table: Table,
  receiver: Receiver,
  upTo: number,
  { consistent = false } = {},
): Promise<number> {
  const lastBlock = blockOf(upTo);
  for (let block = lastBlock; block >= Math.max(0, lastBlock - MAX_BLOCKS); block--) {
    const facts = await listFacts(table, firstOfBlock(block) - 1, Math.min(upTo, lastOfBlock(block)), {
      consistent,
    });
    const newest = facts.findLast((message) => hasReceived(receiver.user, message, receiver.subscriptions));
    if (newest) return newest.messageId;
  }
  return -1;
}
