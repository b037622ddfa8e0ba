import type { Message } from '#shared/domain/messages/message.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Table } from '#shared/table/table.ts';
import { listConversationHeads } from './conversations.ts';
import { parts, type Stretch, type WalkedPage, walkPartitions } from './partition-walk.ts';

/** One conversation on the way: the messages that are read already, and how to get at the others. */
interface Lane {
  pages: AsyncGenerator<WalkedPage>;
  waiting: Message[];
  /** Where the next message can be at the earliest along the walk; undefined when there is none. */
  next: number | undefined;
}

/**
 * The messages of all direct-message conversations of a user, or of those with another user, merged along a stretch.
 * Heads tell which conversations have nothing there, and backwards which one comes next, so that only conversations
 * that contribute are read.
 */
export async function* walkConversations(
  table: Table,
  userId: number,
  withUserId: number | undefined,
  stretch: Stretch,
): AsyncGenerator<WalkedPage> {
  const { from, to, isBackwards } = stretch;
  const heads = await listConversationHeads(table, userId);
  const lanes = heads
    .filter((head) => head.maxMessageId >= from)
    .filter((head) => withUserId === undefined || head.userIds.includes(withUserId))
    .map(({ userIds, maxMessageId }): Lane => {
      const pages = walkPartitions(table, parts.conversation(userIds), stretch, () => 1);
      return { pages, waiting: [], next: isBackwards ? Math.min(maxMessageId, to) : from };
    });
  const start = isBackwards ? to : from;
  await mapConcurrently(
    lanes.filter(({ next }) => next === start),
    advance,
  );
  for (;;) {
    const lane = firstOf(lanes, isBackwards);
    if (!lane) return;
    const message = lane.waiting.shift();
    if (message) yield { messages: [message], examined: 1 };
    await advance(lane);
  }
}

/** The lane that comes next along the walk. */
function firstOf(lanes: Lane[], isBackwards: boolean): Lane | undefined {
  let first: Lane | undefined;
  for (const lane of lanes) {
    if (lane.next === undefined) continue;
    const isAhead =
      first?.next === undefined || (isBackwards ? lane.next > first.next : lane.next < first.next);
    if (isAhead) first = lane;
  }
  return first;
}

/** Makes the next message of a lane known. */
async function advance(lane: Lane): Promise<void> {
  while (lane.waiting.length === 0) {
    const page = await lane.pages.next();
    if (page.done) {
      lane.next = undefined;
      return;
    }
    lane.waiting = page.value.messages;
  }
  lane.next = lane.waiting[0]?.messageId;
}
