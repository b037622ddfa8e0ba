import { isUnread } from '#shared/domain/messages/access.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import { readChanges } from '#shared/domain/reading/changes.ts';
import type { Marks } from '#shared/domain/reading/marks.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readCounter } from '#shared/store/log.ts';
import { listFacts, listFactsById } from '#shared/store/message-facts.ts';
import { loadMarkBlocks, openMarks } from '#shared/store/read-state.ts';
import { firstOfMarkBlock, lastOfMarkBlock, markBlockOf } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { commit } from './commit.ts';
import type { Receiver } from './inbox.ts';

/**
 * Marks as read what someone has not read of the messages that are picked, the newest block first; what was done
 * before it was interrupted stays done. Costs a look at the digests above the read floor, and per block in which
 * something is picked one small change.
 * @throws StaleState
 */
export async function markPickedRead(
  services: Services,
  receiver: Receiver,
  isPicked: (message: MessageFacts) => boolean,
): Promise<void> {
  const { table } = services;
  const { userId } = receiver.user;
  const [marks, end] = await Promise.all([openMarks(table, userId), readCounter(table)]);
  for (const block of blocksToLookAt(marks, end)) {
    await loadMarkBlocks(table, userId, marks, [block]);
    const facts = await listUndecided(table, marks, block, end);
    const messageIds = facts
      .filter(isPicked)
      .filter((message) => isUnread(receiver.user, message, receiver.subscriptions, marks))
      .map(({ messageId }) => messageId);
    for (const change of readChanges({ userId, marks }, messageIds)) await commit(services, change);
  }
}

/** The blocks in which anything can be unread, newest first. */
function blocksToLookAt({ state: { floor, unreadBlocks } }: Marks, end: number): number[] {
  const lowest = markBlockOf(floor + 1);
  const above = Array.from({ length: Math.max(0, markBlockOf(end) - lowest + 1) }, (_, n) => lowest + n);
  return [...new Set([...above, ...unreadBlocks])].sort((a, b) => b - a);
}

/** The messages of a block that may be unread: those above the floor, and those that are marked as unread. */
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
