import { type ChannelView, channelsOf, mayRead } from '#shared/domain/messages/access.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { User } from '#shared/domain/users/user.ts';
import { type ChannelViews, loadChannelViews } from '#shared/store/channels/channel-views.ts';
import { toEntry } from '#shared/store/log/log-entry.ts';
import {
  blockOf,
  firstOfBlock,
  lastOfBlock,
  logKeys,
  logPartitions,
  positionOfSortKey,
  positionSortKey,
} from '#shared/table/keys/log.ts';
import type { Item, Table } from '#shared/table/table.ts';

/** The largest id of the protocol. */
const MAX_MESSAGE_ID = 2_147_483_647;

/** The message in an item of the log, if it has one. */
export function toMessage(item: Item): Message | undefined {
  const { position, message } = toEntry(item);
  return message && { ...message, messageId: position };
}

/** The message with this id. One strongly consistent read. */
export async function findMessage(table: Table, messageId: number): Promise<Message | undefined> {
  const item = isMessageId(messageId) ? await table.find(logKeys.entry(messageId)) : undefined;
  return item && toMessage(item);
}

/** The existing messages with these ids, ascending. */
export async function listMessagesById(
  table: Table,
  messageIds: number[],
  options?: { eventually?: boolean },
): Promise<Message[]> {
  const items = await table.findMany(
    [...new Set(messageIds)].filter(isMessageId).map(logKeys.entry),
    options,
  );
  return items
    .map(toMessage)
    .filter((message) => message !== undefined)
    .sort((a, b) => a.messageId - b.messageId);
}

/** Whether a number can be a message id at all. */
export const isMessageId = (id: number): boolean =>
  Number.isSafeInteger(id) && id >= 1 && id <= MAX_MESSAGE_ID;

/** Read instead of a channel, so that all unreadable messages cost the same. */
const NO_CHANNEL = 0;

/**
 * A message that the user may read, with its channel, the user's relation to it, and the channels that it
 * came from.
 */
export async function findReadableMessage(
  table: Table,
  user: User,
  messageId: number,
): Promise<{ message: Message; view: ChannelView | undefined; views: ChannelViews } | undefined> {
  const message = await findMessage(table, messageId);
  const channelIds = message ? channelsOf(message) : [];
  const views: ChannelViews = new Map();
  await loadChannelViews(table, user.userId, views, channelIds);
  const view = message?.kind === 'channel' ? views.get(message.channelId) : undefined;
  if (message && mayRead(user, message, view)) return { message, view, views };
  if (channelIds.length === 0) await loadChannelViews(table, user.userId, views, [NO_CHANNEL]);
  return undefined;
}

/**
 * The first position within the bounds written at or after a time; `to` + 1 if there is none. Binary search
 * over the log, about twenty reads of one item; a single read if the first position is late enough.
 */
export async function findPositionSince(
  table: Table,
  atSeconds: number,
  from: number,
  to: number,
): Promise<number> {
  let low = from;
  let high = to + 1;
  for (let middle = low; low < high; middle = Math.floor((low + high) / 2)) {
    const entry = await findNextEntry(table, middle, high - 1);
    if (!entry || Math.floor(entry.atMs / 1000) >= atSeconds) high = middle;
    else low = entry.position + 1;
  }
  return low;
}

/** The first remaining entry within the bounds. */
async function findNextEntry(
  table: Table,
  from: number,
  to: number,
): Promise<{ position: number; atMs: number } | undefined> {
  for (let block = blockOf(from); block <= blockOf(to); block++) {
    const { items } = await table.page({
      partition: logPartitions.block(block),
      from: positionSortKey(Math.max(from, firstOfBlock(block))),
      to: positionSortKey(Math.min(to, lastOfBlock(block))),
      limit: 1,
    });
    const [item] = items;
    if (item) return { position: positionOfSortKey(String(item.sk)), atMs: Number(item.atMs) };
  }
  return undefined;
}
