import { type ChannelView, isUnread } from '#shared/domain/messages/access.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import { readChanges } from '#shared/domain/reading/changes.ts';
import type { Marks } from '#shared/domain/reading/marks.ts';
import type { User } from '#shared/domain/users/user.ts';
import { commit } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { listFacts, listFactsById } from '#shared/store/messages/message-facts.ts';
import { loadMarkBlocks, openMarks } from '#shared/store/reading/read-state.ts';
import { firstOfMarkBlock, lastOfMarkBlock, markBlockOf } from '#shared/table/keys/log.ts';
import type { Table } from '#shared/table/table.ts';

type ChannelFacts = Extract<MessageFacts, { kind: 'channel' }>;

/**
 * Marks the unread messages of a channel as read, or only the picked ones, newest block first; after an interruption the
 * finished blocks stay read. Nothing is unread for a user who never subscribed. Costs the block summaries above the read
 * floor, and one small change per block with picked messages.
 * @throws Conflict
 */
export async function markChannelRead(
  services: Services,
  user: User,
  { channel: { channelId }, subscription }: ChannelView,
  isPicked: (message: ChannelFacts) => boolean = () => true,
): Promise<void> {
  if (!subscription) return;
  const { table } = services;
  const { userId } = user;
  const subscriptions = new Map([[channelId, subscription]]);
  const [marks, end] = await Promise.all([openMarks(table, userId), readCounter(table)]);
  for (const block of blocksToLookAt(marks, end)) {
    await loadMarkBlocks(table, userId, marks, [block]);
    const facts = await listUndecided(table, marks, block, end);
    const messageIds = facts
      .filter((fact) => fact.kind === 'channel' && fact.channelId === channelId && isPicked(fact))
      .filter((message) => isUnread(user, message, subscriptions, marks))
      .map(({ messageId }) => messageId);
    for (const change of readChanges({ userId, marks }, messageIds)) await commit(services, change);
  }
}

/** The blocks that can have unread messages, newest first. */
function blocksToLookAt({ state: { floor, unreadBlocks } }: Marks, end: number): number[] {
  const lowest = markBlockOf(floor + 1);
  const above = Array.from({ length: Math.max(0, markBlockOf(end) - lowest + 1) }, (_, n) => lowest + n);
  return [...new Set([...above, ...unreadBlocks])].sort((a, b) => b - a);
}

/** The messages of a block that may be unread: those above the floor, and those marked as unread. */
async function listUndecided(
  table: Table,
  marks: Marks,
  block: number,
  end: number,
): Promise<MessageFacts[]> {
  const { floor } = marks.state;
  const isBelow = (id: number): boolean => id <= floor && markBlockOf(id) === block;
  const [reopened, above] = await Promise.all([
    listFactsById(table, marks.listMarkedUnread().filter(isBelow)),
    listFacts(table, Math.max(floor, firstOfMarkBlock(block) - 1), Math.min(lastOfMarkBlock(block), end)),
  ]);
  return [...reopened, ...above];
}
