import { type ChannelView, channelsOf, mayRead, subscriptionsIn } from '#shared/domain/messages/access.ts';
import { readBlockSummary } from '#shared/domain/messages/block-summary.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import { wasNeverLost } from '#shared/domain/messages/moving/move-history.ts';
import { isGuest, type User } from '#shared/domain/users/user.ts';
import { listViewsById } from '#shared/store/channels/channels.ts';
import { listBlockSummariesOf } from '#shared/store/log/block-summaries.ts';
import { listMessagesById } from '#shared/store/messages/messages.ts';
import { blockOf } from '#shared/table/keys/log.ts';
import type { Table } from '#shared/table/table.ts';

/** Stars in older blocks of the log count as readable, so that nobody's stars cost more than this many blocks. */
const MAX_CHECKED_BLOCKS = 500;
/** Up to this many messages of a block are read themselves, which costs less than the summary of the block. */
const FEW_IN_BLOCK = 3;

/** A starred message that exists, and what decides whether its reader may read it. */
export interface Star {
  message: MessageFacts;
  /** Undefined for direct messages. */
  view: ChannelView | undefined;
  mayRead: boolean;
  /** Whether the same person could read it in another role. */
  couldRead(user: User): boolean;
}

/**
 * The starred messages that the user may read now, out of their ids, ascending. `known` are channels that are loaded
 * already.
 */
export async function listReadableStars(
  table: Table,
  user: User,
  starredIds: number[],
  known: ChannelView[],
): Promise<number[]> {
  const unchecked = uncheckedOf(starredIds);
  const stars = await loadStars(table, user, starredIds, known);
  const readable = stars.filter((star) => star.mayRead).map(({ message }) => message.messageId);
  return [...unchecked, ...readable].sort((a, b) => a - b);
}

/** The starred messages that are neither deleted nor too old to be checked. */
export async function loadStars(
  table: Table,
  user: User,
  starredIds: number[],
  known: ChannelView[] = [],
): Promise<Star[]> {
  const unchecked = new Set(uncheckedOf(starredIds));
  const messages = await listFactsOf(
    table,
    starredIds.filter((id) => !unchecked.has(id)),
  );
  const views = new Map(known.map((view) => [view.channel.channelId, view]));
  const missing = [...new Set(messages.flatMap(channelsOf))].filter((id) => !views.has(id));
  if (missing.length > 0)
    for (const view of await listViewsById(table, user, missing)) views.set(view.channel.channelId, view);
  return messages.map((message) => {
    if (message.kind === 'direct') return { message, view: undefined, mayRead: true, couldRead: () => true };
    const view = views.get(message.channelId);
    const couldRead = (reader: User): boolean => showsStar(reader, message, views);
    return { message, view, mayRead: couldRead(user), couldRead };
  });
}

/** Whether the list of starred messages may contain a message. `views` has all channels of its journey. */
export const showsStar = (
  reader: User,
  message: MessageFacts,
  views: ReadonlyMap<number, ChannelView>,
): boolean =>
  message.kind === 'direct' ||
  (wasNeverLost(message, subscriptionsIn(views), isGuest(reader)) &&
    mayRead(reader, message, views.get(message.channelId)));

/** The ids in blocks beyond the limit. */
function uncheckedOf(starredIds: number[]): number[] {
  const blocks = [...new Set(starredIds.map(blockOf))].sort((a, b) => b - a);
  const oldest = blocks.slice(0, MAX_CHECKED_BLOCKS).at(-1) ?? 0;
  return starredIds.filter((id) => blockOf(id) < oldest);
}

/** The facts of messages that are not deleted: from the summaries of their blocks, or from themselves. */
async function listFactsOf(table: Table, messageIds: number[]): Promise<MessageFacts[]> {
  const byBlock = Map.groupBy(messageIds, blockOf);
  const full = [...byBlock].filter(([, ids]) => ids.length > FEW_IN_BLOCK).map(([block]) => block);
  const summaries = full.length === 0 ? [] : await listBlockSummariesOf(table, new Set(full));
  const ends = new Map(summaries.map(({ after, to }) => [blockOf(after + 1), to]));
  const wanted = new Set(messageIds);
  const others = messageIds.filter((id) => id > (ends.get(blockOf(id)) ?? 0));
  const summarized = summaries.flatMap(readBlockSummary).filter(({ messageId }) => wanted.has(messageId));
  return [...summarized, ...(others.length === 0 ? [] : await listMessagesById(table, others))];
}
