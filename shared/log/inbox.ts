import { hasReceived, isUnread } from '#shared/domain/messages/access.ts';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import { readDigest } from '#shared/domain/messages/digest.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import type { User } from '#shared/domain/users/user.ts';
import { listDigests } from '#shared/store/digests.ts';
import { listEntries } from '#shared/store/log.ts';
import type { LogEntry } from '#shared/store/log-entry.ts';
import { blockOf, firstOfBlock, lastOfBlock } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** Whose messages are looked for: everything that decides what they received and read. */
export interface InboxOwner {
  user: User;
  subscriptions: Map<number, Subscription>;
  readFloor: number;
}

/** What the messages above someone's read floor mean to them. */
export interface Inbox {
  /** -1 when there is none. */
  newestMessageId: number;
  /** Unread messages, ascending. */
  unread: MessageFacts[];
  /** Older unread messages may exist beyond those that were looked at. */
  isUnreadPartial: boolean;
  /** The newest message of each direct-message conversation that was come across. */
  conversations: Map<string, { userIds: number[]; maxMessageId: number }>;
}

/** The few newest entries are likely not to have reached every replica. */
const STRONG_ENTRIES = 20;
/** How far back unread messages are looked for. */
const MAX_POSITIONS = 50_000;

/** Reads what was sent above the read floor and up to a position, from digests as far as they go. */
export async function readInbox(table: Table, owner: InboxOwner, upTo: number): Promise<Inbox> {
  const { user, subscriptions, readFloor } = owner;
  const floor = Math.max(readFloor, upTo - MAX_POSITIONS);
  const inbox: Inbox = {
    newestMessageId: -1,
    unread: [],
    isUnreadPartial: floor > readFloor,
    conversations: new Map(),
  };
  for (const message of await listFacts(table, floor, upTo)) {
    const subscription = message.kind === 'channel' ? subscriptions.get(message.channelId) : undefined;
    if (!hasReceived(user, message, subscription)) continue;
    inbox.newestMessageId = message.messageId;
    if (isUnread(user, message, subscription, floor)) inbox.unread.push(message);
    if (message.kind === 'channel') continue;
    const userIds = message.recipients.map(({ id }) => id);
    inbox.conversations.set(conversationKey(userIds), { userIds, maxMessageId: message.messageId });
  }
  if (inbox.newestMessageId < 0) inbox.newestMessageId = await findNewestMessageId(table, owner, floor);
  return inbox;
}

/** The messages after a position and up to another: digests where there are some, the log for what is newer. */
async function listFacts(table: Table, after: number, upTo: number): Promise<MessageFacts[]> {
  if (after >= upTo) return [];
  const digests = await listDigests(table, after + 1, upTo);
  const digested = Math.min(upTo, Math.max(after, digests.at(-1)?.to ?? 0));
  const split = Math.max(digested, upTo - STRONG_ENTRIES);
  const [older, newest] = await Promise.all([
    listFilled(table, digested + 1, split),
    listEntries(table, split + 1, upTo),
  ]);
  const logged = [...older, ...newest].flatMap(({ position, message }) =>
    message ? [{ ...message, messageId: position }] : [],
  );
  return [
    ...digests.flatMap(readDigest).filter(({ messageId }) => messageId > after && messageId <= digested),
    ...logged,
  ];
}

/** The entries of a range without holes. Where one is missing, the replica that was read lags behind. */
async function listFilled(table: Table, from: number, to: number): Promise<LogEntry[]> {
  const entries = await listEntries(table, from, to, { eventually: true });
  return entries.length > to - from ? entries : listEntries(table, from, to);
}

/** So far back the newest message is looked for. */
const MAX_BLOCKS = 50;

/** The id of the newest message that the user got up to a position, or -1. */
export async function findNewestMessageId(
  table: Table,
  { user, subscriptions }: InboxOwner,
  upTo: number,
): Promise<number> {
  const lastBlock = blockOf(upTo);
  for (let block = lastBlock; block >= Math.max(0, lastBlock - MAX_BLOCKS); block--) {
    const facts = await listFacts(table, firstOfBlock(block) - 1, Math.min(upTo, lastOfBlock(block)));
    const newest = facts.findLast((message) => {
      const subscription = message.kind === 'channel' ? subscriptions.get(message.channelId) : undefined;
      return hasReceived(user, message, subscription);
    });
    if (newest) return newest.messageId;
  }
  return -1;
}
