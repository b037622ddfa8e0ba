import { hasReceived, isUnread } from '#shared/domain/messages/access.ts';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import type { User } from '#shared/domain/users/user.ts';
import { blockOf, firstOfBlock, partitions, positionSortKey } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { type LogEntry, toEntry } from './entry.ts';

/** Whose messages are looked for: everything that decides what they received and read. */
export interface InboxOwner {
  user: User;
  subscriptions: Map<number, Subscription>;
  readFloor: number;
}

/** What the messages up to a position mean to one user. */
export interface Inbox {
  /** -1 when there is none. */
  newestMessageId: number;
  /** Unread messages, ascending. */
  unread: Message[];
  /** Older unread messages may exist beyond those that were looked at. */
  isUnreadPartial: boolean;
  /** The newest message of each direct-message conversation that was come across. */
  conversations: Map<string, { userIds: number[]; maxMessageId: number }>;
}

/** The few newest entries may not have reached every replica; what is older has. */
const STRONG_ENTRIES = 20;
const ENTRIES_PER_PAGE = 500;
/** How far back unread messages are looked for. */
const MAX_POSITIONS = 50_000;

/** Walks back from a position to where the user has read everything, or to where their account began. */
export async function readInbox(table: Table, owner: InboxOwner, upTo: number): Promise<Inbox> {
  const inbox: Inbox = { newestMessageId: -1, unread: [], isUnreadPartial: false, conversations: new Map() };
  const oldest = Math.max(owner.readFloor, upTo - MAX_POSITIONS);
  for await (const { position, atMs, message } of readBackwards(table, upTo)) {
    const isBeforeAccount = atMs < owner.user.createdAtSeconds * 1000;
    const isDone = position <= oldest && inbox.newestMessageId >= 0;
    if (isBeforeAccount || isDone) break;
    if (message) consider(inbox, owner, { ...message, messageId: position });
  }
  inbox.unread.reverse();
  inbox.isUnreadPartial = oldest > owner.readFloor;
  return inbox;
}

function consider(inbox: Inbox, { user, subscriptions, readFloor }: InboxOwner, message: Message): void {
  const subscription = message.kind === 'channel' ? subscriptions.get(message.channelId) : undefined;
  if (!hasReceived(user, message, subscription)) return;
  inbox.newestMessageId = Math.max(inbox.newestMessageId, message.messageId);
  if (isUnread(user, message, subscription, readFloor)) inbox.unread.push(message);
  if (message.kind === 'channel') return;
  const userIds = message.recipients.map(({ id }) => id);
  const key = conversationKey(userIds);
  if (!inbox.conversations.has(key))
    inbox.conversations.set(key, { userIds, maxMessageId: message.messageId });
}

/** The entries of the log from a position backwards, page by page; gaps are passed over. */
async function* readBackwards(table: Table, from: number): AsyncGenerator<LogEntry> {
  let position = from;
  while (position > 0) {
    const isNewest = position === from;
    const { items, more } = await table.page({
      partition: partitions.logBlock(blockOf(position)),
      to: positionSortKey(position),
      backwards: true,
      limit: isNewest ? STRONG_ENTRIES : ENTRIES_PER_PAGE,
      consistent: isNewest,
    });
    const entries = items.map(toEntry);
    yield* entries;
    const last = entries.at(-1);
    position = (more && last ? last.position : firstOfBlock(blockOf(position))) - 1;
  }
}
